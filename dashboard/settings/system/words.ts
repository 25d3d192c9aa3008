import type { Catalogue } from '../../words/words.ts'

const en = {
  about: 'How this installation is set up. Its operator changes it, by environment variables.',
  version: 'Version',
  database: 'Database',
  databases: { embedded: 'Embedded in the program', postgresql: 'PostgreSQL' },
  storage: 'Files',
  storages: { local: 'In a folder of the machine' },
  embedder: 'Embeddings',
  embedders: { bundled: 'Bundled model', remote: 'Remote endpoint' },
  embedding: (kind: string, model: string, dimensions: string) => `${kind}: ${model}, ${dimensions} dimensions`,
  ready: 'Answers',
  notReady: 'Does not answer',
  reranker: 'Reranker',
  noReranker: 'None: set RERANK_URL to have one',
  someReranker: 'Remote endpoint',
  mail: 'Mail',
  mails: { smtp: 'By a mail server', files: 'Kept as files: set SMTP_URL to have it sent' },
  oidc: 'Sign-in by a provider',
  yes: 'Yes',
  no: 'No',
  failed: 'The last message could not be sent',
  messages: 'Messages that were not sent',
  messagesHelp: 'Without a mail server, messages are kept here. Links in them work once: pass them on to nobody but the receiver.',
  noMessages: 'There is none.',
  to: (address: string) => `To ${address}`,
}

export const systemWords: Catalogue<typeof en> = { en }
