import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { OidcSettings } from './identity/oidc/issuer.ts'
import type { ChatModel } from './knowledge/answers/chat-model.ts'
import { openRemoteChat } from './knowledge/answers/remote-chat.ts'
import { bundledEmbedder, bundledModel, openBundledEmbedder } from './knowledge/embed/bundled.ts'
import type { Embedder } from './knowledge/embed/embedder.ts'
import { findFolder, rememberFolder } from './knowledge/embed/former/remembered-folder.ts'
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
 * Returns the model in EMBEDDINGS_DIR or behind EMBEDDINGS_URL, measured once for what its cosines mean. By default it is the bundled
 * one, not loaded.
 * @throws Error that names EMBEDDINGS_DIR and the file if the folder has no usable model
 */
export async function openEmbedder(config: Config, outbound: Outbound, log: Logger): Promise<Embedder> {
  const { EMBEDDINGS_DIR: folder, EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_DIMENSIONS: dimensions } = config
  const { EMBEDDINGS_API_KEY: apiKey, EMBEDDINGS_QUERY_PREFIX: queryPrefix, EMBEDDINGS_PASSAGE_PREFIX: passagePrefix } = config
  const profiles = { folder: modelRecords(config), log }
  if (folder !== undefined) {
    const settings = { dimensions, queryPrefix, passagePrefix }
    const local = await openFolderEmbedder({ folder, ...settings, log }).catch(inSetting('EMBEDDINGS_DIR'))
    await rememberFolder(profiles.folder, local.model, { folder: resolve(folder), settings })
    return profiledEmbedder(local, { ...profiles, wait: true })
  }
  if (url === undefined || model === undefined || dimensions === undefined) return bundledEmbedder({ log })
  const fetch = outbound.trustedFetch(url)
  const remote = openRemoteEmbedder({ url, model, dimensions, queryPrefix, passagePrefix, fetch, ...(apiKey !== undefined && { apiKey }) })
  return profiledEmbedder(remote, { ...profiles, wait: false })
}

/** The folder with records about embedding models: measurements, and where local models are. */
const modelRecords = ({ DATA_DIR }: Config): string => resolve(DATA_DIR, 'models')

/**
 * Returns a function that opens an embedding model that was used before: the bundled model, or a local model whose folder still has
 * the same files.
 */
export const formerModelOpener =
  (config: Config, log: Logger) =>
  async (model: string): Promise<Embedder | null> => {
    if (model === bundledModel) return openBundledEmbedder({ log })
    const records = modelRecords(config)
    const remembered = await findFolder(records, model)
    if (remembered === null) return null
    const local = await openFolderEmbedder({ folder: remembered.folder, ...remembered.settings, log })
    return profiledEmbedder(local, { folder: records, wait: true, log })
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

/** Returns the chat model behind CHAT_URL; null if none is set. */
export function openChatModel({ CHAT_URL: url, CHAT_MODEL: model, CHAT_API_KEY: apiKey }: Config, outbound: Outbound): ChatModel | null {
  if (url === undefined || model === undefined) return null
  return openRemoteChat({ url, model, fetch: outbound.trustedFetch(url), ...(apiKey !== undefined && { apiKey }) })
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
