//! What do these rows say? Tables, statistics, trends, outliers and prices, from JSON
//! rows to JSON results. Nothing here reads files.
