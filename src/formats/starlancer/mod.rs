//! StarLancer's saved games, `<call sign>GAME<slot>.IFF`. The image is the file. starlancer.md.

mod chunks;
mod container;
mod edits;
mod facts;
mod findings;
mod name;
mod records;
mod rules;
mod slot;
mod tree;

#[cfg(test)]
mod tests;

use super::{Format, Likeness, Options, Probe};
use crate::tree::record::{FieldType, Rec, Record, Token};
use crate::tree::{Fault, Finding, Node, Refusal, Save};
use container::{Container, find_form};
use records::{MISS, Miss};
use slot::FileName;
use std::any::Any;
use std::sync::Arc;

pub struct StarLancer;

impl Format for StarLancer {
    fn name(&self) -> &'static str {
        "starlancer"
    }
    fn title(&self) -> &'static str {
        "StarLancer (*GAME<nn>.IFF)"
    }
    fn page(&self) -> &'static str {
        include_str!("page.md")
    }
    fn recognise(&self, probe: &Probe) -> Likeness {
        if find_form(probe.head).is_some() {
            Likeness::Sure
        } else if FileName::parse(probe.name).is_some() {
            Likeness::ByName
        } else {
            Likeness::No
        }
    }
    fn open(&self, file: &[u8], options: &Options) -> Result<Arc<dyn Save>, Fault> {
        let place = Place {
            name: options.name.clone(),
            file: FileName::parse(&options.name),
            siblings: options.siblings.clone(),
        };
        Ok(Arc::new(Campaign::read(file.to_vec(), Arc::new(place))?))
    }
}

/// Where a save lies.
struct Place {
    name: String,
    /// The name taken apart, where it is one that the game gives.
    file: Option<FileName>,
    siblings: Vec<String>,
}

impl Place {
    fn companions(&self) -> Vec<&str> {
        let stem = self.file.as_ref().map(|file| file.stem.as_str());
        stem.map_or_else(Vec::new, |stem| slot::companions(stem, &self.siblings))
    }
}

/// An open save. A clone is the same save.
#[derive(Clone)]
pub struct Campaign {
    image: Arc<Vec<u8>>,
    container: Arc<Container>,
    place: Arc<Place>,
}

impl Campaign {
    fn read(image: Vec<u8>, place: Arc<Place>) -> Result<Campaign, Fault> {
        Ok(Campaign {
            container: Arc::new(Container::read(&image)?),
            image: Arc::new(image),
            place,
        })
    }
    /// The record in the first chunk of this id, as far as it is there.
    fn record<R: Record>(&self, id: [u8; 4]) -> Option<Rec> {
        let body = self.container.first(id)?.body();
        Some(Rec::new(R::SHAPE, body.start, 0).cut(body.len()))
    }
    fn miss(&self) -> Option<Rec> {
        self.record::<Miss>(MISS)
    }
    /// The value of a field, if it is there.
    fn value<T: FieldType>(&self, rec: Option<Rec>, token: Token<T>) -> Option<T::Value> {
        let rec = rec.filter(|rec| rec.has(&self.image, token.field()))?;
        Some(rec.get(&self.image, token))
    }
}

impl Save for Campaign {
    fn image(&self) -> &[u8] {
        &self.image
    }
    fn root(self: Arc<Self>) -> Node {
        tree::root(&self)
    }
    fn reopen(&self, image: Vec<u8>) -> Result<Arc<dyn Save>, Fault> {
        Ok(Arc::new(Campaign::read(image, Arc::clone(&self.place))?))
    }
    fn encode(&self) -> Result<Vec<u8>, Fault> {
        Ok(self.image.to_vec())
    }
    fn findings(&self) -> Vec<Finding> {
        findings::all(self)
    }
    fn review(
        &self,
        before: &dyn Save,
        paths: &[&str],
        force: bool,
    ) -> Result<Vec<String>, Refusal> {
        let Some(before) = before.as_any().downcast_ref::<Campaign>() else {
            return Ok(Vec::new());
        };
        rules::review(before, self, force).map_err(|(refusal, rule)| match paths {
            [_only] => refusal,
            _ => refusal.at(rule.path, b""),
        })
    }
    fn summary(&self) -> Vec<(String, String)> {
        findings::summary(self)
    }
    fn ranges_forcible(&self) -> bool {
        true
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
