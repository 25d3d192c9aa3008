import type { Groundwork } from '@groundwork/sdk'
import { maxSearch } from '../lib/search-params.ts'
import type { Source } from './records.ts'
import type { Twin } from './upload-queue.ts'

/** Larger files are compared by their size, because browsers hash only what is in memory. */
const maxHashedBytes = 64 * 2 ** 20

/** Returns the source of a knowledge base that has the name of a file, and whether it is the same file. Undefined without one. */
export async function twinOf(client: Groundwork, baseId: string, file: File, signal: AbortSignal): Promise<Twin | undefined> {
  const named = await sourcesNamed(client, baseId, file.name, signal)
  if (named.length === 0) return undefined
  const hash = await hashOf(file)
  // The hash of a source is null until its content was read.
  const isSame = (known: string | null): boolean => hash === undefined || known === null || known === hash
  const same = named.find(({ bytes, contentHash }) => bytes === file.size && isSame(contentHash))
  const sourceId = (same ?? named[0])?.id
  return sourceId === undefined ? undefined : { kind: same === undefined ? 'other' : 'same', sourceId }
}

/** Returns the uploaded files with this name. A failed request does not keep a file from being uploaded. */
async function sourcesNamed(client: Groundwork, baseId: string, name: string, signal: AbortSignal): Promise<Source[]> {
  const found = client.bases.sources.list(baseId, { q: name.slice(0, maxSearch), limit: 100 }, { signal }).page()
  const { data } = await found.catch(() => ({ data: [] }))
  return data.filter((source) => source.type === 'file' && source.name === name)
}

/** Returns the SHA-256 of a file in hexadecimal; undefined if it is large, or over plain http, where browsers have no hash functions. */
async function hashOf(file: File): Promise<string | undefined> {
  if (!window.isSecureContext || file.size > maxHashedBytes) return undefined
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
