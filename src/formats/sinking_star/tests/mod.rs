//! Tests over the fixtures and the worked examples.

mod fixtures;
mod settings;
mod support;
