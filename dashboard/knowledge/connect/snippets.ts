import type { Integration } from './search.ts'

/** What the snippets call: this server, a knowledge base, and a token. */
export interface Target {
  origin: string
  baseId: string
  token: string
  question: string
}

/** The script of the search widget for a public page. */
export const widgetSnippet = ({ origin, token }: Pick<Target, 'origin' | 'token'>): string =>
  `<script src="${origin}/widget.js" data-token="${token}" defer></script>`

export const snippets: Record<Integration, (target: Target) => string> = {
  rest: ({ origin, baseId, token, question }) =>
    [
      `curl ${origin}/v1/bases/${baseId}/search \\`,
      `  -H 'Authorization: Bearer ${token}' \\`,
      `  -H 'Content-Type: application/json' \\`,
      // A single-quoted shell string cannot contain a quote: close it, add an escaped quote, open it again.
      `  -d '${JSON.stringify({ query: question, topK: 3 }).replaceAll("'", String.raw`'\''`)}'`,
    ].join('\n'),
  sdk: ({ origin, baseId, token, question }) =>
    [
      `import { Groundwork } from '@groundwork/sdk'`,
      ``,
      `const client = new Groundwork({ baseUrl: '${origin}', token: '${token}' })`,
      `const { data } = await client.bases.search('${baseId}', { query: ${JSON.stringify(question)}, topK: 3 })`,
      `for (const { score, text } of data) console.log(score.toFixed(2), text)`,
    ].join('\n'),
  mcp: ({ origin, token }) =>
    JSON.stringify(
      { mcpServers: { groundwork: { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${token}` } } } },
      null,
      2,
    ),
  openai: ({ origin, baseId, token, question }) =>
    [
      `import OpenAI from 'openai'`,
      ``,
      `const client = new OpenAI({ baseURL: '${origin}/openai/v1', apiKey: '${token}' })`,
      `const found = await client.vectorStores.search('${baseId}', { query: ${JSON.stringify(question)}, max_num_results: 3 })`,
      `for (const { score, content } of found.data) console.log(score.toFixed(2), content[0].text)`,
    ].join('\n'),
  vapi: ({ origin, baseId, token }) =>
    JSON.stringify(
      {
        provider: 'custom-knowledge-base',
        server: { url: `${origin}/vapi/bases/${baseId}`, headers: { Authorization: `Bearer ${token}` }, secret: token },
      },
      null,
      2,
    ),
  dify: ({ origin, baseId, token }) => [`API endpoint: ${origin}/dify`, `API key: ${token}`, `Knowledge ID: ${baseId}`].join('\n'),
}
