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
  sdk: 'Save this as a file, such as search.mjs, and run it with Node. It requires the @groundwork/sdk package.',
  mcp: 'Add this to your assistant’s MCP configuration. It uses streamable HTTP.',
  openai:
    'Save this as a file, such as search.mjs, and run it with Node. It requires the openai package. The knowledge base acts as a vector store.',
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
  tokenHelp: 'The snippets need an API token. The token can search this knowledge base and read its settings, but nothing else.',
  createToken: 'Create token',
  noToken: 'Ask an owner or admin of your organization for a token that can search this knowledge base.',
  tokenName: (base: string) => `Connect: ${base}`.slice(0, 200),
  created: 'The snippets now include the token. It is shown only while this page is open, so copy it now.',
  manage: 'You can revoke it under',
  tokens: 'API tokens',
  waiting: 'Waiting for the first request…',
  waitingHelp: 'Run a snippet. The request appears here within a few seconds.',
  received: 'First request received',
  refused: 'A request was refused',
  refusedHelp: 'Waiting for a successful request.',
  details: 'Show requests made with this token',
  widgetTitle: 'Search on your website',
  widgetHelp:
    'Visitors to your website can ask questions and get answers from this knowledge base. Anyone can read everything in it, so keep internal documents in another knowledge base.',
  site: 'Website address',
  siteHelp: 'For example, www.example.com. The search works only on pages at this address.',
  invalidSite: 'Enter a website address, such as www.example.com.',
  createWidget: 'Create search widget',
  widgetName: (host: string) => `Search on ${host}`.slice(0, 200),
  widgetCode: 'Search widget',
  paste: 'Paste this line into your website’s pages, just before the closing body tag. A button at the bottom right opens the search.',
  widgetGuide: 'Read the search widget guide',
  emptyTitle: 'No knowledge bases yet',
  emptyHelp: 'Create a knowledge base and add a source. Then you can connect an application to it.',
  toKnowledge: 'Go to Knowledge',
}

export const connectMessages: Messages<typeof en> = { en }
