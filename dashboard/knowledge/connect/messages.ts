import type { Messages } from '../../messages/messages.ts'
import type { Integration } from './search.ts'

const names: Record<Integration, string> = {
  rest: 'REST',
  sdk: 'TypeScript',
  mcp: 'MCP',
  openai: 'OpenAI vector stores',
  vapi: 'Vapi',
  dify: 'Dify',
}

const help: Record<Integration, string> = {
  rest: 'Run this command in a terminal.',
  sdk: 'Save this as a file such as search.mjs and run it with Node. It needs the package @groundwork/sdk.',
  mcp: 'Add this to the MCP configuration of your assistant. It uses streamable HTTP.',
  openai: 'Save this as a file such as search.mjs and run it with Node. It needs the package openai. The knowledge base is a vector store.',
  vapi: 'Create a custom knowledge base in Vapi with this configuration. Vapi must be able to reach this server.',
  dify: 'In Dify, open Knowledge and add an external knowledge API with the endpoint and the key. Then connect an external knowledge base with this knowledge ID.',
}

const en = {
  title: 'Connect',
  about: 'Connect an application or agent to a knowledge base.',
  base: 'Knowledge base',
  tabs: 'Integrations',
  names,
  help,
  guide: 'Read the guide',
  exampleQuestion: 'What are your opening hours?',
  placeholder: 'CREATE_A_TOKEN_FIRST',
  tokenTitle: 'Token',
  tokenHelp: 'The snippets need an API token. It can search this knowledge base and read its settings, and nothing else.',
  createToken: 'Create token',
  noToken: 'Ask an owner or an admin of the organization for a token that can search this knowledge base.',
  tokenName: (base: string) => `Connect: ${base}`.slice(0, 200),
  created: 'The token is in the snippets. It is shown only while this page is open, so copy it now.',
  manage: 'You can revoke it under',
  tokens: 'API tokens',
  waiting: 'Waiting for the first request…',
  waitingHelp: 'Run a snippet. The request appears here within a few seconds.',
  received: 'First request received',
  refused: 'A request was refused',
  refusedHelp: 'Waiting for a successful request.',
  details: 'Show requests of this token',
  widgetTitle: 'Search on your website',
  widgetHelp:
    'Visitors of your website ask questions and get answers from this knowledge base. Everything in it can be read by anyone, so keep internal documents in another one.',
  site: 'Address of your website',
  siteHelp: 'For example www.example.com. The search works on pages of this address only.',
  invalidSite: 'Enter the address of a website, such as www.example.com.',
  createWidget: 'Create search widget',
  widgetName: (host: string) => `Search on ${host}`.slice(0, 200),
  widgetCode: 'Search widget',
  paste: 'Paste this line into the pages of your website, before the end of the body. A button at the bottom right opens the search.',
  widgetGuide: 'Guide to the search widget',
  emptyTitle: 'No knowledge bases yet',
  emptyHelp: 'Create a knowledge base and add a source. Then you can connect an application to it.',
  toKnowledge: 'Go to Knowledge',
}

export const connectMessages: Messages<typeof en> = { en }
