import { parsed, parsedQuery, type IntegrationEndpoint, type IntegrationRequest } from '../integration.ts'
import { getFile, getFileContent } from './file-objects.ts'
import { ListFiles, listFiles } from './files.ts'
import { refuse } from './refuse.ts'
import { SearchVectorStore, searchVectorStore } from './search.ts'
import { getVectorStore, ListVectorStores, listVectorStores } from './vector-stores.ts'

const stores = '/openai/v1/vector_stores'
const files = '/openai/v1/files'
const ok = (body: object) => ({ status: 200, body })
const idOf = ({ params }: IntegrationRequest): string => params['id'] ?? ''

const endpoints: readonly Omit<IntegrationEndpoint, 'via' | 'formatError'>[] = [
  {
    method: 'GET',
    path: stores,
    scope: 'bases:read',
    handle: async (ctx, { query }) => ok(await listVectorStores(ctx, parsedQuery(ListVectorStores, query))),
  },
  {
    method: 'GET',
    path: `${stores}/{id}`,
    scope: 'bases:read',
    handle: async (ctx, request) => ok(await getVectorStore(ctx, idOf(request))),
  },
  {
    method: 'GET',
    path: `${stores}/{id}/files`,
    scope: 'sources:read',
    handle: async (ctx, request) => ok(await listFiles(ctx, idOf(request), parsedQuery(ListFiles, request.query))),
  },
  {
    method: 'POST',
    path: `${stores}/{id}/search`,
    scope: 'search:read',
    handle: async (ctx, request) => ok(await searchVectorStore(ctx, idOf(request), parsed(SearchVectorStore, request.body))),
  },
  {
    method: 'GET',
    path: `${files}/{id}`,
    scope: 'sources:read',
    handle: async (ctx, request) => ok(await getFile(ctx, idOf(request))),
  },
  {
    method: 'GET',
    path: `${files}/{id}/content`,
    scope: 'sources:read',
    handle: async (ctx, request) => ({ status: 200, file: await getFileContent(ctx, idOf(request)) }),
  },
]

/** The read operations of OpenAI's vector stores and files APIs. Clients use `<URL>/openai/v1` as base URL. */
export const openAiEndpoints: readonly IntegrationEndpoint[] = endpoints.map((endpoint) => ({
  ...endpoint,
  via: 'openai',
  formatError: refuse,
}))
