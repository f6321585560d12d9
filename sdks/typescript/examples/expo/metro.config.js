// The packages of this repository instead of those of a registry: an application of its own needs no such file.
const { join } = require('node:path');
const { getDefaultConfig } = require('expo/metro-config');

const workspace = join(__dirname, '..', '..');
const config = getDefaultConfig(__dirname);
config.watchFolders = [join(workspace, 'packages'), join(workspace, 'node_modules')];
config.resolver.extraNodeModules = Object.fromEntries(['client', 'expo'].map((name) => [`@svc/${name}`, join(workspace, 'packages', name)]));
module.exports = config;
