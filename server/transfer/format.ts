import { z } from 'zod'
import { exportHeaderName, parseJson } from '../backup/format.ts'

/** Raised when another version could not read an export of this one. */
export const formatVersion = 1

const headerSchema = z.object({
  format: z.literal('groundwork-organization'),
  formatVersion: z.literal(formatVersion),
  /** A UUID. */
  id: z.string(),
  programVersion: z.string(),
  /** The time of the state. */
  createdAt: z.string(),
  engine: z.enum(['embedded', 'postgresql']),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string().nullable() })),
  /** The id is a UUID. */
  organization: z.object({ id: z.uuid(), name: z.string() }),
  /** In the order in which the rows are added; quoted names. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** The id, encrypted with the key file; base64. Null if the export has no secrets. */
  sealedCheck: z.string().nullable(),
})
export type ExportHeader = z.output<typeof headerSchema>

/** Names of the first entries. Rows, files and the manifest follow, as in a backup. */
export const exportEntries = {
  header: exportHeaderName,
  users: 'users.json',
  signingKeys: 'signing-keys.json',
  generations: 'generations.json',
  jobs: 'jobs.json',
} as const

const userSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  image: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Ways to sign in. */
  accounts: z.array(
    z.object({
      id: z.uuid(),
      providerId: z.string(),
      accountId: z.string(),
      /** A hash. */
      password: z.string().nullable(),
      createdAt: z.string(),
      updatedAt: z.string(),
    }),
  ),
  hasSecondFactor: z.boolean(),
  /** Encrypted with the key file. Null without a second factor, or if the export has no secrets. */
  secondFactor: z.object({ id: z.uuid(), secret: z.string(), backupCodes: z.string(), verified: z.boolean().nullable() }).nullable(),
})
export type ExportedUser = z.output<typeof userSchema>

const signingKeySchema = z.object({
  id: z.string(),
  /** Base64. */
  publicKey: z.string(),
  createdAt: z.string(),
  /** Null for the key that signed at the time of the export. */
  retiredAt: z.string().nullable(),
})
export type ExportedSigningKey = z.output<typeof signingKeySchema>

const jobSchema = z.object({ queue: z.string(), data: z.record(z.string(), z.unknown()), dueAt: z.string() })
export type ExportedJob = z.output<typeof jobSchema>

export const partSchemas = {
  [exportEntries.users]: z.array(userSchema),
  [exportEntries.signingKeys]: z.array(signingKeySchema),
  /** The numbers of all indexing attempts, ascending. They may exceed the precision of a number. */
  [exportEntries.generations]: z.array(z.string().regex(/^\d+$/)),
  [exportEntries.jobs]: z.array(jobSchema),
}

/** @throws Error if the text is no header of an export that this version reads */
export function parseExportHeader(text: string): ExportHeader {
  const found = z.object({ formatVersion: z.number() }).safeParse(parseJson(text))
  if (found.success && found.data.formatVersion !== formatVersion)
    throw new Error(`The export has format ${found.data.formatVersion}; this version reads format ${formatVersion}.`)
  const header = headerSchema.safeParse(parseJson(text))
  if (!header.success) throw new Error('The export is damaged: its header cannot be read.')
  return header.data
}
