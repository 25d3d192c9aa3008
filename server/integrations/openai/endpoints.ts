import { parsed, parsedQuery, type IntegrationEndpoint } from '../integration.ts'
import { getFile, getFileContent } from './file-objects.ts'
import { ListFiles, listFiles } from './files.ts'
import { refuse } from './refuse.ts'
import { SearchVectorStore, searchVectorStore } from './search.ts'
import { getVectorStore, ListVectorStores, listVectorStores } from './vector-stores.ts'

const stores = '/openai/v1/vector_stores'
const files = '/openai/v1/files'
const ok = (body: object) => ({ status: 200, body })

/** The read operations of OpenAI's vector stores and files APIs. Clients use `<URL>/openai/v1` as base URL. */
export const openAiEndpoints: readonly IntegrationEndpoint[] = [
  {
    via: 'openai',
    method: 'GET',
    path: stores,
    scope: 'bases:read',
    formatError: refuse,
    handle: async (ctx, { query }) => ok(await listVectorStores(ctx, parsedQuery(ListVectorStores, query))),
  },
  {
    via: 'openai',
    method: 'GET',
    path: `${stores}/{id}`,
    scope: 'bases:read',
    formatError: refuse,
    handle: async (ctx, { params }) => ok(await getVectorStore(ctx, params['id'] ?? '')),
  },
  {
    via: 'openai',
    method: 'GET',
    path: `${stores}/{id}/files`,
    scope: 'sources:read',
    formatError: refuse,
    handle: async (ctx, { params, query }) => ok(await listFiles(ctx, params['id'] ?? '', parsedQuery(ListFiles, query))),
  },
  {
    via: 'openai',
    method: 'POST',
    path: `${stores}/{id}/search`,
    scope: 'search:read',
    formatError: refuse,
    handle: async (ctx, { params, body }) => ok(await searchVectorStore(ctx, params['id'] ?? '', parsed(SearchVectorStore, body))),
  },
  {
    via: 'openai',
    method: 'GET',
    path: `${files}/{id}`,
    scope: 'sources:read',
    formatError: refuse,
    handle: async (ctx, { params }) => ok(await getFile(ctx, params['id'] ?? '')),
  },
  {
    via: 'openai',
    method: 'GET',
    path: `${files}/{id}/content`,
    scope: 'sources:read',
    formatError: refuse,
    handle: async (ctx, { params }) => ({ status: 200, file: await getFileContent(ctx, params['id'] ?? '') }),
  },
]
