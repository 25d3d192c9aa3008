import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { OidcSettings } from './identity/oidc/issuer.ts'
import { openBundledEmbedder } from './knowledge/embed/bundled.ts'
import type { Embedder } from './knowledge/embed/embedder.ts'
import { openFolderEmbedder } from './knowledge/embed/folder/folder-embedder.ts'
import { profiledEmbedder } from './knowledge/embed/profile/profiled-embedder.ts'
import { openRemoteEmbedder } from './knowledge/embed/remote.ts'
import { createRenderer, type Renderer } from './knowledge/render/renderer.ts'
import { openFolderReranker } from './knowledge/rerank/folder.ts'
import { openRemoteReranker } from './knowledge/rerank/remote.ts'
import type { Reranker } from './knowledge/rerank/reranker.ts'
import type { Outbound } from './outbound/outbound.ts'

/** The User-Agent header of requests for documents. */
export const userAgent = 'Groundwork/0.1 (+knowledge base importer)'

/** Returns a quarter of the memory of the machine or the container, in MB. */
export function quarterOfMemory(): number {
  return Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 4 / 2 ** 20)
}

/**
 * Returns null if CHROMIUM_PATH is not set.
 * @throws Error that names CHROMIUM_PATH if the file is not executable
 */
export async function openRenderer({ CHROMIUM_PATH: executablePath }: Config, outbound: Outbound, log: Logger): Promise<Renderer | null> {
  if (executablePath === undefined) return null
  await access(executablePath, constants.X_OK).catch(() => {
    throw new Error(`CHROMIUM_PATH: ${executablePath} does not exist or is not executable.`)
  })
  return createRenderer({ executablePath, userAgent, outbound, log })
}

/** Which embedder the settings select. */
export const embedderKind = ({ EMBEDDINGS_DIR, EMBEDDINGS_URL }: Config): 'bundled' | 'local' | 'remote' =>
  EMBEDDINGS_DIR !== undefined ? 'local' : EMBEDDINGS_URL !== undefined ? 'remote' : 'bundled'

/**
 * Returns the model in EMBEDDINGS_DIR or behind EMBEDDINGS_URL, measured once for what its cosines mean; the bundled one by
 * default.
 * @throws Error that names EMBEDDINGS_DIR and the file if the folder has no usable model
 */
export async function openEmbedder(config: Config, outbound: Outbound, log: Logger): Promise<Embedder> {
  const { EMBEDDINGS_DIR: folder, EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_DIMENSIONS: dimensions } = config
  const { EMBEDDINGS_API_KEY: apiKey, EMBEDDINGS_QUERY_PREFIX: queryPrefix, EMBEDDINGS_PASSAGE_PREFIX: passagePrefix } = config
  const profiles = { folder: resolve(config.DATA_DIR, 'models'), log }
  if (folder !== undefined) {
    const local = await openFolderEmbedder({ folder, dimensions, queryPrefix, passagePrefix, log }).catch(inSetting('EMBEDDINGS_DIR'))
    return profiledEmbedder(local, { ...profiles, wait: true })
  }
  if (url === undefined || model === undefined || dimensions === undefined) return openBundledEmbedder({ log })
  const fetch = outbound.trustedFetch(url)
  const remote = openRemoteEmbedder({ url, model, dimensions, queryPrefix, passagePrefix, fetch, ...(apiKey !== undefined && { apiKey }) })
  return profiledEmbedder(remote, { ...profiles, wait: false })
}

/**
 * Returns the model in RERANK_DIR or behind RERANK_URL; null if none is set.
 * @throws Error that names RERANK_DIR and the file if the folder has no usable model
 */
export async function openReranker(config: Config, outbound: Outbound, log: Logger): Promise<Reranker | null> {
  const { RERANK_DIR: folder, RERANK_URL: url, RERANK_MODEL: model, RERANK_API_KEY: apiKey } = config
  if (folder !== undefined) return openFolderReranker({ folder, log }).catch(inSetting('RERANK_DIR'))
  if (url === undefined) return null
  const fetch = outbound.trustedFetch(url)
  return openRemoteReranker({ url, fetch, ...(model !== undefined && { model }), ...(apiKey !== undefined && { apiKey }) })
}

const inSetting =
  (setting: string) =>
  (cause: unknown): never => {
    throw new Error(`${setting}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }

/** Returns null if no identity provider is configured. */
export function oidcSettings(config: Config): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null
  return { issuer, clientId, clientSecret }
}
