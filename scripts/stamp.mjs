import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Hashes of the files that a build read and wrote, by path. */
/** @typedef {{ sources: Record<string, string>, outputs: Record<string, string> }} Stamp */

const stampFile = (name) => join('dist', `${name}.json`)

/** @returns {Stamp | undefined} the stamp of the last complete build */
export function readStamp(name) {
  return existsSync(stampFile(name)) ? JSON.parse(readFileSync(stampFile(name), 'utf8')) : undefined
}

/** @param {Stamp} stamp */
export function writeStamp(name, stamp) {
  mkdirSync(dirname(stampFile(name)), { recursive: true })
  // A concurrent start reads either the old or the new stamp.
  const unfinished = `${stampFile(name)}.${process.pid}`
  writeFileSync(unfinished, JSON.stringify(stamp))
  renameSync(unfinished, stampFile(name))
}

/** Returns the hashes of all files below the paths, without tests and hidden files, which other programs write. */
export function hashSources(paths) {
  return hashFiles(paths, (name) => name !== 'dist' && name !== 'node_modules' && !name.startsWith('.') && !isTest(name))
}

/** Returns the hashes of all built files below the paths, without declarations and source maps. */
export function hashOutputs(paths) {
  return hashFiles(paths, (name) => !isTest(name) && !/\.(tsbuildinfo|map|d\.ts)$/.test(name))
}

/** Returns the paths whose hashes differ or that only one of both has. */
export function changed(before, after) {
  return Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path])
}

const isTest = (name) => /\.test\.[a-z.]+$/.test(name)

function hashFiles(paths, wanted) {
  /** @type {Record<string, string>} */
  const hashes = {}
  const visit = (path) => {
    if (!statSync(path).isDirectory()) hashes[path] = createHash('sha256').update(readFileSync(path)).digest('base64')
    else for (const name of readdirSync(path)) if (wanted(name)) visit(join(path, name))
  }
  for (const path of paths) if (existsSync(path)) visit(path)
  return hashes
}
