//! The memory of one hashing thread: taken at first use, wiped after every hash, kept until the thread has been idle.

use argon2_rust::Hasher;
use svc_core::{Error, Result};

use super::busy;
use super::recipe::Recipe;

pub(super) struct Arena {
    hasher: Hasher,
    /// What a hash by our own recipe needs, in blocks of 1 KiB, and so what is worth keeping.
    kept: usize,
}

impl Arena {
    /// Takes no memory yet. The recipe is the one by which most hashes will be made.
    pub fn new(own: &Recipe) -> Result<Self> {
        Ok(Self { hasher: own.argon2()?.hasher(), kept: own.blocks() })
    }

    /// The tag of `password`.
    pub fn hash(&mut self, recipe: &Recipe, password: &[u8], salt: &[u8]) -> Result<Vec<u8>> {
        self.hasher.set_argon2(recipe.argon2()?);
        let hashed = self.hasher.hash(password, salt);
        self.shrink();
        hashed.map_err(|error| match error {
            // The sign-ins that are under way give theirs back.
            argon2_rust::Error::MemoryAllocationError => busy().caused_by(error),
            error => Error::internal(error),
        })
    }

    /// Whether it holds memory that could be given back.
    pub fn is_taken(&self) -> bool {
        self.hasher.reserved_blocks() > 0
    }

    /// Gives everything back; an allocation of this size is a mapping of its own, so that it leaves the process.
    pub fn release(&mut self) {
        self.hasher.clear();
    }

    /// Gives back what only an imported hash needed.
    fn shrink(&mut self) {
        if self.hasher.reserved_blocks() > self.kept {
            self.release();
        }
    }
}

#[cfg(test)]
mod tests {
    use argon2::{Algorithm, Argon2, Params, Version};

    use super::*;
    use crate::PasswordParams;

    fn recipe(memory_kib: u32) -> Recipe {
        Recipe::new(&PasswordParams { memory_kib, iterations: 1, parallelism: 1, max_concurrent: 1 }).unwrap()
    }

    #[test]
    fn memory_is_taken_at_first_use_kept_and_given_back() {
        let own = recipe(64);
        let mut arena = Arena::new(&own).unwrap();
        assert!(!arena.is_taken());
        let first = arena.hash(&own, b"password", &[1; 16]).unwrap();
        assert_eq!(arena.hasher.reserved_blocks(), 64);
        assert_eq!(arena.hash(&own, b"password", &[1; 16]).unwrap(), first);
        arena.release();
        assert!(!arena.is_taken());
        assert_eq!(arena.hash(&own, b"password", &[1; 16]).unwrap(), first);
    }

    #[test]
    fn a_smaller_hash_uses_a_part_and_a_larger_one_is_given_back() {
        let own = recipe(64);
        let mut arena = Arena::new(&own).unwrap();
        arena.hash(&own, b"password", &[1; 16]).unwrap();
        arena.hash(&recipe(16), b"password", &[1; 16]).unwrap();
        assert_eq!(arena.hasher.reserved_blocks(), 64);
        arena.hash(&recipe(128), b"password", &[1; 16]).unwrap();
        assert!(!arena.is_taken());
    }

    /// The hasher has vectorized code of its own for each kind of processor: another implementation says whether it is right.
    #[test]
    fn every_variant_and_cost_yields_the_tag_of_another_implementation() {
        let mut arena = Arena::new(&recipe(64)).unwrap();
        let costs = [(8, 1, 1), (64, 3, 1), (61, 2, 1), (512, 1, 4), (96, 2, 3), (19_456, 2, 1)];
        let inputs = [("", vec![7; 8]), ("correct horse", vec![1; 16]), (&"x".repeat(1024), vec![0; 48])];
        for algorithm in [Algorithm::Argon2d, Algorithm::Argon2i, Algorithm::Argon2id] {
            for version in [Version::V0x10, Version::V0x13] {
                for ((memory, passes, lanes), tag_len) in costs.into_iter().zip([16, 32, 33, 64, 128, 32]) {
                    let params = Params::new(memory, passes, lanes, Some(tag_len)).unwrap();
                    let recipe = Recipe::of(algorithm, version, params.clone());
                    for (password, salt) in &inputs {
                        let mut expected = vec![0; tag_len];
                        let other = Argon2::new(algorithm, version, params.clone());
                        other.hash_password_into(password.as_bytes(), salt, &mut expected).unwrap();
                        assert_eq!(arena.hash(&recipe, password.as_bytes(), salt).unwrap(), expected);
                    }
                }
            }
        }
    }
}
