import { copyStatement } from '../backup/bulk-load.ts'
import type { BulkSession } from '../db/bulk-session.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import { newSecret, sealSecret } from '../webhooks/secret.ts'
import { bytesOf, copyBytes, copyNull, rowsOf, valuesOf } from './copy-text.ts'
import type { Loaded } from './load-organization.ts'
import { moveSecret, only, sealedIn } from './secrets.ts'

interface AccessOptions {
  readonly secrets: { readonly from: string | null; readonly to: SecretKeys }
  readonly now: Date
}

/**
 * Adds the rows of the tables that give access. A webhook endpoint without its secret gets a new one and is disabled: the receiver
 * would refuse its signatures.
 * @returns the ids of these endpoints
 */
export async function addAccess(session: BulkSession, access: Loaded['access'], options: AccessOptions): Promise<string[]> {
  const changed: string[] = []
  for (const { table, rows } of access) {
    const isWebhook = table.name.endsWith('.webhook_endpoint')
    const values = isWebhook ? await withOwnSecrets(valuesOf(rows), table.columns, options, changed) : null
    await session.copyIn(copyStatement(table), values === null ? rows : rowsOf(values))
  }
  return changed
}

async function withOwnSecrets(
  rows: string[][],
  columns: readonly string[],
  { secrets, now }: AccessOptions,
  changed: string[],
): Promise<string[][]> {
  const at = (column: string): number => columns.indexOf(column)
  for (const row of rows) {
    const valueOf = (column: string): string => row[at(column)] ?? copyNull
    for (const column of sealedIn('webhook_endpoint')) {
      const value = valueOf(column.column)
      if (value === copyNull) continue
      const id = column.key.map((each) => valueOf(each.column))
      const moved =
        secrets.from === null ? null : await moveSecret(column, bytesOf(value), id, { from: only(secrets.from), to: secrets.to.current })
      row[at(column.column)] = moved === null || typeof moved === 'string' ? copyNull : copyBytes(moved)
    }
    if (valueOf('previous_secret') === copyNull) row[at('previous_secret_expires_at')] = copyNull
    if (valueOf('secret') !== copyNull) continue
    const owner = { secretKey: secrets.to, organizationId: valueOf('organization_id'), endpointId: valueOf('id') }
    row[at('secret')] = copyBytes(sealSecret(newSecret(), owner))
    if (valueOf('enabled') === 't') {
      row[at('enabled')] = 'f'
      row[at('disabled_at')] = now.toISOString()
      row[at('disabled_reason')] = 'manual'
    }
    changed.push(owner.endpointId)
  }
  return rows
}
