import { bases, Resources, uploads } from './routes.ts'
import { createTransport, type GroundworkOptions, type Transport } from './transport.ts'
import { uploadFile } from './uploads.ts'
import { waitUntilProcessed } from './wait.ts'

/** The API, a method per operation: `client.contacts.create({ … })`, `client.bases.sources.create(baseId, { … })`. */
export class Groundwork extends Resources {
  override readonly bases: ReturnType<typeof basesWithWaiting>
  readonly uploads: ReturnType<typeof uploadsOfFiles>

  constructor(options: GroundworkOptions) {
    const transport = createTransport(options)
    super(transport)
    this.bases = basesWithWaiting(transport)
    this.uploads = uploadsOfFiles(transport)
  }
}

function basesWithWaiting(transport: Transport) {
  const made = bases(transport)
  return { ...made, sources: { ...made.sources, waitUntilProcessed: waitUntilProcessed(made.sources.get) } }
}

function uploadsOfFiles(transport: Transport) {
  const made = uploads(transport)
  return { ...made, create: uploadFile(transport, made.create) }
}
