import { answerStream } from './answer-stream.ts'
import { eventStream } from './event-stream.ts'
import { bases, events, Resources, uploads, webhooks } from './routes.ts'
import { sourceUpdates } from './source-updates.ts'
import { createTransport, type GroundworkOptions, type Transport } from './transport.ts'
import { resumeUpload, uploadFile } from './uploads.ts'
import { waitUntilProcessed } from './wait.ts'
import { verifyWebhook } from './webhooks.ts'

/** The API client, with one method per operation: `client.contacts.create({ … })`, `client.bases.sources.create(baseId, { … })`. */
export class Groundwork extends Resources {
  override readonly bases: ReturnType<typeof basesWithWaiting>
  override readonly events: ReturnType<typeof eventsWithStream>
  override readonly webhooks: ReturnType<typeof webhooksWithVerification>
  readonly uploads: ReturnType<typeof uploadsOfFiles>

  constructor(options: GroundworkOptions) {
    const transport = createTransport(options)
    super(transport)
    this.bases = basesWithWaiting(transport)
    this.events = eventsWithStream(transport)
    this.webhooks = webhooksWithVerification(transport)
    this.uploads = uploadsOfFiles(transport)
  }
}

function basesWithWaiting(transport: Transport) {
  const made = bases(transport)
  const wait = waitUntilProcessed(made.sources.get, sourceUpdates(transport))
  return { ...made, answer: answerStream(transport), sources: { ...made.sources, waitUntilProcessed: wait } }
}

function eventsWithStream(transport: Transport) {
  return { ...events(transport), stream: eventStream(transport) }
}

function uploadsOfFiles(transport: Transport) {
  const made = uploads(transport)
  return { ...made, create: uploadFile(transport, made), resume: resumeUpload(transport, made) }
}

function webhooksWithVerification(transport: Transport) {
  return { ...webhooks(transport), verify: verifyWebhook }
}
