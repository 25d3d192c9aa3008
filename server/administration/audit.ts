import { commandLine, entryOf, type Change } from '../audit/entry.ts'

/** Adds an entry of the command line to the audit log of an organization, in the transaction of the change. */
export async function auditByOperator(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  organizationId: string,
  now: Date,
  change: Change,
): Promise<void> {
  const entry = Object.entries(entryOf(organizationId, now, commandLine, change))
  await client.query(
    `insert into audit_entry (${entry.map(([column]) => column).join(', ')}) values (${entry.map((_, at) => `$${at + 1}`).join(', ')})`,
    entry.map(([, value]) => value),
  )
}
