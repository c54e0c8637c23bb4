//! Tests over the fixtures and the worked examples.

mod fixtures;
mod settings;
mod status;
mod support;
