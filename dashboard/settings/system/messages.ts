import type { Messages } from '../../messages/messages.ts'

const en = {
  about: 'The configuration of this server. Only the server administrator can change it.',
  version: 'Version',
  database: 'Database',
  databases: { embedded: 'Embedded', postgresql: 'PostgreSQL' },
  storage: 'File storage',
  storages: { local: 'Local disk', s3: 'S3-compatible bucket' },
  embedder: 'Embeddings',
  embedders: { bundled: 'Bundled model', local: 'Local model', remote: 'Remote endpoint' },
  embedding: (kind: string, model: string, dimensions: string) => `${kind}: ${model}, ${dimensions} dimensions`,
  ready: 'Available',
  notReady: 'Unavailable',
  reranker: 'Reranker',
  chat: 'Chat model',
  noReranker: 'Not configured',
  remoteReranker: 'Remote endpoint',
  mail: 'Email',
  mails: { smtp: 'Mail server', files: 'No mail server configured' },
  oidc: 'Single sign-on',
  oidcOn: 'Configured',
  oidcOff: 'Not configured',
  failed: 'The last message could not be sent',
  failedHelp: 'The mail server cannot be reached or is not accepting messages. Only the server administrator can fix this.',
  embedderFailed: 'The embedding model is not responding. Until it recovers, searches match words only.',
  errors: {
    queued: 'The mail server did not accept the message on the last attempt. It will be sent again later.',
    failed: 'The mail server rejected the message, or its delivery could not be confirmed. Check the address.',
    sent: 'An earlier attempt failed.',
  },
  rawError: 'Details for administrators',
  messages: 'Messages',
  messagesHelp: {
    smtp: 'Messages from the last 30 days. Their content is deleted once they are sent.',
    files: 'No mail server is configured, so messages are saved here. Send each link only to its recipient.',
  },
  states: { queued: 'Queued', sent: 'Sent', failed: 'Failed' },
  contentNotStored: 'The content is not stored.',
  noMessages: 'No messages.',
  to: (address: string) => `To ${address}`,
}

export const systemMessages: Messages<typeof en> = { en }
