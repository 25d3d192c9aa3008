import { sql } from 'kysely'
import { select, type Platform } from '../context.ts'

export interface DueEndpoint {
  readonly organizationId: string
  readonly endpointId: string
}

/** The question goes to no organization's rows: the function answers it, and gives nothing but these ids. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** Endpoints of all organizations that have a delivery which is due, the longest due ones first. */
export function dueEndpoints(platform: Platform): Promise<DueEndpoint[]> {
  return select({ ...platform, organizationId: nobody }, (db) =>
    db
      .selectFrom(sql<{ organization_id: string; endpoint_id: string }>`due_webhook_endpoints(${platform.now()})`.as('due'))
      .select(['due.organization_id as organizationId', 'due.endpoint_id as endpointId']),
  )
}
