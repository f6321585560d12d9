//! The memory of one hashing thread: taken at first use, wiped after every hash, kept until the thread has been idle.

use argon2::Block;
use svc_core::{Error, OrInternal as _, Result};
use zeroize::Zeroize;

use super::recipe::Recipe;

pub(super) struct Arena {
    blocks: Vec<Block>,
    /// What a hash by our own recipe needs, and so what is worth keeping.
    kept: usize,
}

impl Arena {
    pub fn new(kept: usize) -> Self {
        Self { blocks: Vec::new(), kept }
    }

    /// The tag of `password`.
    pub fn hash(&mut self, recipe: &Recipe, password: &[u8], salt: &[u8]) -> Result<Vec<u8>> {
        let mut tag = vec![0; recipe.tag_len()];
        let blocks = self.take(recipe.blocks())?;
        let hashed = recipe.argon2().hash_password_into_with_memory(password, salt, &mut tag, &mut *blocks);
        blocks.iter_mut().zeroize();
        self.shrink();
        hashed.map(|()| tag).or_internal()
    }

    /// Whether it holds memory that could be given back.
    pub fn is_taken(&self) -> bool {
        self.blocks.capacity() > 0
    }

    /// Gives everything back; an allocation of this size is a mapping of its own, so that it leaves the process.
    pub fn release(&mut self) {
        self.blocks = Vec::new();
    }

    fn take(&mut self, count: usize) -> Result<&mut [Block]> {
        if self.blocks.len() < count {
            let size = count.max(self.kept);
            self.release();
            self.blocks.try_reserve_exact(size).map_err(|error| Error::unavailable(error))?;
            self.blocks.resize(size, Block::new());
        }
        self.blocks.get_mut(..count).ok_or_else(|| Error::internal("the arena is too small"))
    }

    /// Gives back what only an imported hash needed.
    fn shrink(&mut self) {
        if self.blocks.len() > self.kept {
            self.release();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PasswordParams;

    fn recipe(memory_kib: u32) -> Recipe {
        Recipe::new(&PasswordParams { memory_kib, iterations: 1, parallelism: 1, max_concurrent: 1 }).unwrap()
    }

    #[test]
    fn memory_is_taken_at_first_use_kept_wiped_and_given_back() {
        let own = recipe(64);
        let mut arena = Arena::new(own.blocks());
        assert!(!arena.is_taken());
        let first = arena.hash(&own, b"password", &[1; 16]).unwrap();
        assert_eq!(arena.blocks.len(), 64);
        assert!(arena.blocks.iter().all(|block| block.as_ref().iter().all(|word| *word == 0)));
        assert_eq!(arena.hash(&own, b"password", &[1; 16]).unwrap(), first);
        arena.release();
        assert!(!arena.is_taken());
        assert_eq!(arena.hash(&own, b"password", &[1; 16]).unwrap(), first);
    }

    #[test]
    fn a_smaller_hash_uses_a_part_and_a_larger_one_is_given_back() {
        let mut arena = Arena::new(64);
        arena.hash(&recipe(16), b"password", &[1; 16]).unwrap();
        assert_eq!(arena.blocks.len(), 64);
        arena.hash(&recipe(128), b"password", &[1; 16]).unwrap();
        assert!(!arena.is_taken());
    }
}
