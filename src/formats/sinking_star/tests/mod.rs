//! Tests over the fixtures and the worked examples.

mod counts;
mod fixtures;
mod history;
mod relatives;
mod schema;
mod settings;
mod status;
mod support;
mod words;
