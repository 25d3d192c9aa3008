import { sql } from 'kysely'
import { noOrganization, select, type CoreServices } from '../context.ts'

export interface DueEndpoint {
  readonly organizationId: string
  readonly endpointId: string
}

/** Returns the endpoints of all organizations with due deliveries, the longest due first. */
export function dueEndpoints(services: CoreServices): Promise<DueEndpoint[]> {
  return select({ ...services, organizationId: noOrganization }, (db) =>
    db
      .selectFrom(sql<{ organization_id: string; endpoint_id: string }>`due_webhook_endpoints(${services.now()})`.as('due'))
      .select(['due.organization_id as organizationId', 'due.endpoint_id as endpointId']),
  )
}
