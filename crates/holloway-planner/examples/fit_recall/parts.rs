//! Which part of a set does a request belong to? Decided by the first two bytes of the SHA-256
//! of `set/id`, as `holloway eval plans --split` does; this crate depends on no digests.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The table of meanings was made from these requests too.
    Training,
    Fitting,
    Validation,
}

pub(crate) fn part(set: &str, id: &str) -> Part {
    match first_word(format!("{set}/{id}").as_bytes()).to_be_bytes() {
        [64..=255, ..] => Part::Training,
        [_, 0..128, ..] => Part::Fitting,
        _ => Part::Validation,
    }
}

/// The first 32 bits of the SHA-256 of a text.
fn first_word(text: &[u8]) -> u32 {
    let roots = |power: f64| {
        let primes = (2u32..).filter(|one| (2..*one).all(|other| one % other != 0));
        // The first bits behind the point of a root of a prime.
        primes.map(move |prime| (f64::from(prime).powf(power).fract() * 4_294_967_296.0) as u32)
    };
    let keys: Vec<u32> = roots(1.0 / 3.0).take(64).collect();
    let mut state: Vec<u32> = roots(0.5).take(8).collect();
    let mut padded = text.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((text.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        let words = block.chunks(4);
        let mut words: Vec<u32> = words
            .map(|word| u32::from_be_bytes(word.try_into().unwrap()))
            .collect();
        let turned = |word: u32, by: [u32; 2], last: u32| {
            word.rotate_right(by[0]) ^ word.rotate_right(by[1]) ^ last
        };
        for at in 16..64 {
            let (near, far) = (words[at - 2], words[at - 15]);
            let next = turned(far, [7, 18], far >> 3).wrapping_add(words[at - 7]);
            let next = next.wrapping_add(turned(near, [17, 19], near >> 10));
            words.push(next.wrapping_add(words[at - 16]));
        }
        let mut own = state.clone();
        for (key, word) in keys.iter().zip(&words) {
            let choice = (own[4] & own[5]) ^ (!own[4] & own[6]);
            let majority = (own[0] & own[1]) ^ (own[0] & own[2]) ^ (own[1] & own[2]);
            let first = [
                turned(own[4], [6, 11], own[4].rotate_right(25)),
                choice,
                *key,
                *word,
            ];
            let first = first.into_iter().fold(own[7], u32::wrapping_add);
            let second = turned(own[0], [2, 13], own[0].rotate_right(22)).wrapping_add(majority);
            own.rotate_right(1);
            own[4] = own[4].wrapping_add(first);
            own[0] = first.wrapping_add(second);
        }
        for (sum, own) in state.iter_mut().zip(own) {
            *sum = sum.wrapping_add(own);
        }
    }
    state[0]
}
