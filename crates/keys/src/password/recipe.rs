//! What a hash is made by, and its stored form: a PHC string such as `$argon2id$v=19$m=65536,t=2,p=1$…$…`.

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Params, Version};
use argon2_rust::Argon2;
use argon2_rust::params::{Memory, TagLen};
use svc_core::{Error, OrInternal as _, Result};

use super::PasswordParams;

/// What an imported hash may cost at most, unless our own costs more.
const MOST_MEMORY_KIB: u32 = 256 * 1024;
const MOST_ITERATIONS: u32 = 32;
const MOST_LANES: u32 = 16;
/// What a hash that is imported may fill in all passes: 1 GiB takes about a second.
const MOST_WORK_KIB: u64 = 1024 * 1024;
/// Shorter tags could be met by chance.
const SHORTEST_TAG: usize = 16;

/// Variant, version and cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Recipe {
    algorithm: Algorithm,
    version: Version,
    params: Params,
}

impl Recipe {
    pub fn new(params: &PasswordParams) -> Result<Self> {
        let params = Params::new(params.memory_kib, params.iterations, params.parallelism, Some(32));
        let params = params.map_err(|cause| Error::internal(format!("Argon2 parameters: {cause}")))?;
        Ok(Self { algorithm: Algorithm::Argon2id, version: Version::V0x13, params })
    }

    #[cfg(test)]
    pub fn of(algorithm: Algorithm, version: Version, params: Params) -> Self {
        Self { algorithm, version, params }
    }

    /// How many blocks of memory one hash needs.
    pub fn blocks(&self) -> usize {
        self.params.block_count()
    }

    /// The same for the library that hashes. All lanes are worked on by the calling thread.
    pub fn argon2(&self) -> Result<Argon2> {
        let params = argon2_rust::Params::builder()
            .memory(Memory::kib(self.params.m_cost().into()))
            .passes(self.params.t_cost())
            .lanes(self.params.p_cost())
            .threads(1)
            .tag_len(TagLen::bytes(self.tag_len().try_into().or_internal()?))
            .build()
            .or_internal()?;
        let algorithm = match self.algorithm {
            Algorithm::Argon2d => argon2_rust::Algorithm::Argon2d,
            Algorithm::Argon2i => argon2_rust::Algorithm::Argon2i,
            Algorithm::Argon2id => argon2_rust::Algorithm::Argon2id,
        };
        let version = match self.version {
            Version::V0x10 => argon2_rust::Version::V0x10,
            Version::V0x13 => argon2_rust::Version::V0x13,
        };
        Ok(Argon2::new(algorithm, version, params))
    }

    fn tag_len(&self) -> usize {
        self.params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN)
    }

    /// The stored form of a hash.
    pub fn phc(&self, salt: &[u8], tag: &[u8]) -> Result<String> {
        let hash = PasswordHash {
            algorithm: self.algorithm.ident(),
            version: Some(self.version.into()),
            params: ParamsString::try_from(&self.params).or_internal()?,
            salt: Some(Salt::new(salt).or_internal()?),
            hash: Some(Output::new(tag).or_internal()?),
        };
        Ok(hash.to_string())
    }

    /// Whether a text of another system can be verified here within about a second.
    pub fn is_importable(text: &str) -> bool {
        Stored::read(text).is_some_and(|stored| {
            let params = &stored.recipe.params;
            let work = u64::from(params.m_cost()).saturating_mul(params.t_cost().into());
            // A hash of a key that is not here, or of further data, would never verify.
            let is_of_password = params.keyid().is_empty() && params.data().is_empty();
            let is_affordable = params.m_cost() <= MOST_MEMORY_KIB && work <= MOST_WORK_KIB;
            is_of_password && is_affordable && params.p_cost() <= MOST_LANES
        })
    }

    fn is_affordable(&self, own: &Self) -> bool {
        self.params.m_cost() <= own.params.m_cost().max(MOST_MEMORY_KIB)
            && self.params.t_cost() <= own.params.t_cost().max(MOST_ITERATIONS)
            && self.params.p_cost() <= own.params.p_cost().max(MOST_LANES)
    }
}

/// A stored hash, taken apart.
pub(super) struct Stored {
    pub recipe: Recipe,
    pub salt: Vec<u8>,
    pub tag: Vec<u8>,
}

impl Stored {
    /// Reads a PHC string of any Argon2 variant whose cost stays within bounds.
    pub fn parse(phc: &str, own: &Recipe) -> Result<Self> {
        let stored = Self::read(phc).ok_or_else(|| Error::internal("a stored password hash is malformed"))?;
        if !stored.recipe.is_affordable(own) {
            return Err(Error::internal("a stored password hash asks for more work than is allowed"));
        }
        Ok(stored)
    }

    /// Whether a text is a PHC string of Argon2, whatever it costs.
    pub fn is_readable(phc: &str) -> bool {
        Self::read(phc).is_some()
    }

    fn read(phc: &str) -> Option<Self> {
        let hash = PasswordHash::new(phc).ok()?;
        let tag = hash.hash.as_ref()?.as_bytes().to_vec();
        // A text without a version is of the first one, which wrote none.
        let version = hash.version.map_or(Ok(Version::V0x10), Version::try_from);
        let recipe = Recipe {
            algorithm: Algorithm::new(hash.algorithm.as_str()).ok()?,
            version: version.ok()?,
            params: Params::try_from(&hash).ok()?,
        };
        (tag.len() >= SHORTEST_TAG).then_some(Self { recipe, salt: hash.salt?.to_vec(), tag })
    }
}
