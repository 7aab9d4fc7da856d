import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writePrivate } from '../private-file.ts';
import type { Environment } from './env.ts';
import { Failure, usageFailure } from './failure.ts';

export interface Profile {
  url: string;
  key: string;
  /** Signs what `listen` and `trigger` forward. */
  webhook_secret: string;
}

interface Settings {
  current: string;
  profiles: Record<string, Profile>;
}

function settingsPath({ configFolder }: Environment): string {
  return join(configFolder, 'config.json');
}

function asSettings(json: unknown): Settings {
  return json as Settings;
}

/** Undefined if the file does not exist. @throws {Failure} with the remedy if it is not JSON */
export function readJsonFile<T>(path: string, asType: (json: unknown) => T, remedy: string): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return asType(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new Failure(`${path} cannot be read as finhook wrote it. Restore it, or remove it${remedy}.`);
  }
}

/** In a folder that only the user can read. */
export function writeJsonFile(path: string, json: unknown): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writePrivate(path, `${JSON.stringify(json, null, 2)}\n`);
  return path;
}

export function readSettings(env: Environment): Settings {
  const empty: Settings = { current: 'default', profiles: {} };
  return readJsonFile(settingsPath(env), asSettings, ' and run finhook login') ?? empty;
}

function writeSettings(env: Environment, settings: Settings): string {
  return writeJsonFile(settingsPath(env), settings);
}

/** It becomes the current profile if it is the first, or if no name was chosen. */
export function saveProfile(
  env: Environment,
  chosen: string | undefined,
  { url, key }: Pick<Profile, 'url' | 'key'>,
): { path: string; name: string; current: string } {
  const name = chosen ?? 'default';
  const settings = readSettings(env);
  const webhook_secret = settings.profiles[name]?.webhook_secret ?? `whsec_${randomBytes(32).toString('base64')}`;
  const current = chosen !== undefined && settings.profiles[settings.current] ? settings.current : name;
  const profiles = { ...settings.profiles, [name]: { url, key, webhook_secret } };
  return { path: writeSettings(env, { current, profiles }), name, current };
}

export function useProfile(env: Environment, name: string): void {
  const { profiles } = readSettings(env);
  if (!profiles[name]) throw unknownProfile(name, profiles);
  writeSettings(env, { current: name, profiles });
}

function unknownProfile(name: string, profiles: Settings['profiles']): Failure {
  const known = Object.keys(profiles).join(', ') || 'none';
  return usageFailure(`There is no profile ${name} (known: ${known}). Make it: finhook login --profile ${name}`);
}

export function removeProfile(env: Environment, name: string): boolean {
  const { current, profiles } = readSettings(env);
  const { [name]: removed, ...others } = profiles;
  if (!removed) return false;
  const next = Object.keys(others)[0];
  if (next === undefined) rmSync(settingsPath(env));
  else writeSettings(env, { current: current === name ? next : current, profiles: others });
  return true;
}

export interface Connection {
  url: string;
  key: string;
  source: string;
  webhookSecret: string | undefined;
}

export const defaultUrl = 'http://127.0.0.1:3000';

/** A chosen profile overrides the environment, which overrides the current profile. */
export function chooseService(env: Environment, chosen: string | undefined): Connection {
  const { current, profiles } = readSettings(env);
  const explicit = chosen ?? env.profile;
  const name = explicit ?? current;
  const profile = profiles[name];
  if (explicit !== undefined && !profile) throw unknownProfile(explicit, profiles);
  const webhookSecret = env.webhookSecret ?? profile?.webhook_secret;
  if (explicit === undefined && env.apiKey !== undefined) {
    return { url: env.url ?? profile?.url ?? defaultUrl, key: env.apiKey, source: 'FINHOOK_API_KEY', webhookSecret };
  }
  if (!profile) throw usageFailure('You are not logged in. Run finhook login, or set FINHOOK_API_KEY and FINHOOK_URL.');
  if (explicit === undefined && env.url !== undefined && env.url !== profile.url) {
    // A profile's key is for its service only.
    throw usageFailure(`FINHOOK_URL is not the service of profile ${name}. Set FINHOOK_API_KEY too, or unset it.`);
  }
  return { url: profile.url, key: profile.key, source: `profile ${name}`, webhookSecret };
}
