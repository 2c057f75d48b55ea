//! What does a cell hold, as JSON? Whole numbers, and days as the sheet shows them.

use calamine::{Data, ExcelDateTime};
use jiff::ToSpan;
use jiff::civil::Date;
use serde_json::{Value, json};

/// Excel knows no day after 9999-12-31.
const LAST_DAY: f64 = 2_958_466.0;

pub(super) fn cell(data: &Data) -> Value {
    match data {
        Data::Int(number) => json!(number),
        Data::Float(number) => whole(*number),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => json!(text),
        Data::Bool(truth) => json!(truth),
        Data::DateTime(moment) if moment.is_datetime() => json!(iso(moment)),
        // A duration in days, as the file has it.
        Data::DateTime(duration) => whole(duration.as_f64()),
        Data::Error(error) => json!(error.to_string()),
        Data::Empty => Value::Null,
    }
}

/// 3.0 in a sheet is the number three.
fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        json!(number as i64)
    } else {
        json!(number)
    }
}

fn iso(moment: &ExcelDateTime) -> String {
    let serial = moment.as_f64();
    if !(0.0..LAST_DAY).contains(&serial) {
        return serial.to_string();
    }
    if serial < 1.0 {
        // A time of day without a day; the last second does not round into the next day.
        let seconds = ((serial * 86_400.0).round() as u32).min(86_399);
        return time(seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
    let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
    let date = Date::new(
        i16::try_from(year).unwrap_or(i16::MAX),
        i8::try_from(month).unwrap_or(0),
        i8::try_from(day).unwrap_or(0),
    );
    let Ok(date) = date else {
        // 29 February 1900, which only Excel knows.
        return format!("{year:04}-{month:02}-{day:02}");
    };
    let mut exact = date.at(
        i8::try_from(hour).unwrap_or(0),
        i8::try_from(minute).unwrap_or(0),
        i8::try_from(second).unwrap_or(0),
        0,
    );
    if milli >= 500 {
        exact = exact.checked_add(1.second()).unwrap_or(exact);
    }
    let clock = time(
        exact.hour().unsigned_abs().into(),
        exact.minute().unsigned_abs().into(),
        exact.second().unsigned_abs().into(),
    );
    if clock == "00:00:00" {
        exact.date().to_string()
    } else {
        format!("{}T{clock}", exact.date())
    }
}

fn time(hour: u32, minute: u32, second: u32) -> String {
    format!("{hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::ExcelDateTimeType;

    #[test]
    fn days_are_those_that_the_sheet_shows() {
        let check = |serial: f64, is_1904: bool, expected: &str| {
            let moment = ExcelDateTime::new(serial, ExcelDateTimeType::DateTime, is_1904);
            assert_eq!(iso(&moment), expected);
        };
        check(45_351.0, false, "2024-02-29");
        check(45_351.0 - 1_462.0, true, "2024-02-29");
        check(45_351.572_916_666_7, false, "2024-02-29T13:45:00");
        check(45_351.999_999_9, false, "2024-03-01");
        check(1.0, false, "1900-01-01");
        check(59.0, false, "1900-02-28");
        check(60.0, false, "1900-02-29");
        check(61.0, false, "1900-03-01");
        check(0.5, false, "12:00:00");
        check(0.999_999_9, false, "23:59:59");
        check(-3.0, false, "-3");
        check(4e9, false, "4000000000");
    }
}
