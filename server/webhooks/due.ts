import { sql } from 'kysely'
import { select, type CoreServices } from '../context.ts'

export interface DueEndpoint {
  readonly organizationId: string
  readonly endpointId: string
}

/** No organization: the function reads across organizations and returns only these ids. */
const noOrganization = '00000000-0000-0000-0000-000000000000'

/** Returns the endpoints of all organizations with due deliveries, the longest due first. */
export function dueEndpoints(services: CoreServices): Promise<DueEndpoint[]> {
  return select({ ...services, organizationId: noOrganization }, (db) =>
    db
      .selectFrom(sql<{ organization_id: string; endpoint_id: string }>`due_webhook_endpoints(${services.now()})`.as('due'))
      .select(['due.organization_id as organizationId', 'due.endpoint_id as endpointId']),
  )
}
