//! How much was looked at? Tests count the bytes and comparisons of a cleaning, to show that they
//! grow with the length of a text and not with its square. Elsewhere nothing is counted.

#[cfg(test)]
thread_local! {
    static SPENT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// So many bytes or pairs are looked at now.
pub(super) fn add(count: usize) {
    #[cfg(test)]
    SPENT.with(|spent| spent.set(spent.get() + count));
    #[cfg(not(test))]
    let _ = count;
}

/// What some work takes.
#[cfg(test)]
pub(super) fn of(work: impl FnOnce()) -> usize {
    let before = SPENT.with(std::cell::Cell::get);
    work();
    SPENT.with(std::cell::Cell::get) - before
}
