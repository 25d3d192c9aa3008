import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { OidcSettings } from './identity/oidc/issuer.ts'
import { openBundledEmbedder } from './knowledge/embed/bundled.ts'
import type { Embedder } from './knowledge/embed/embedder.ts'
import { openRemoteEmbedder } from './knowledge/embed/remote.ts'
import { createRenderer, type Renderer } from './knowledge/render/renderer.ts'
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

/** Returns the remote embedder if EMBEDDINGS_URL is set, otherwise the bundled one. */
export function openEmbedder(config: Config, outbound: Outbound, log: Logger): Promise<Embedder> {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_DIMENSIONS: dimensions, EMBEDDINGS_API_KEY: apiKey } = config
  if (url === undefined || model === undefined || dimensions === undefined) return openBundledEmbedder({ log })
  return Promise.resolve(
    openRemoteEmbedder({ url, model, dimensions, ...(apiKey !== undefined && { apiKey }), fetch: outbound.trustedFetch(url) }),
  )
}

/** Returns null if RERANK_URL is not set. */
export function openReranker(
  { RERANK_URL: url, RERANK_MODEL: model, RERANK_API_KEY: apiKey }: Config,
  outbound: Outbound,
): Reranker | null {
  if (url === undefined) return null
  const fetch = outbound.trustedFetch(url)
  return openRemoteReranker({ url, fetch, ...(model !== undefined && { model }), ...(apiKey !== undefined && { apiKey }) })
}

/** Returns null if no identity provider is configured. */
export function oidcSettings(config: Config): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null
  return { issuer, clientId, clientSecret }
}
