import { companiesLabel } from './companies/label.ts'
import { contactsLabel } from './contacts/messages.ts'
import { homeLabel } from './home/label.ts'
import { knowledgeLabel } from './knowledge/label.ts'
import { playgroundLabel } from './playground/label.ts'
import { proposalsLabel } from './proposals/label.ts'
import {
  auditLabel,
  customFieldsLabel,
  membersLabel,
  organizationLabel,
  requestsLabel,
  systemLabel,
  tagsLabel,
  tokensLabel,
  webhooksLabel,
} from './settings/label.ts'

const titles = {
  '/$organization': homeLabel,
  '/$organization/knowledge': knowledgeLabel,
  '/$organization/contacts': contactsLabel,
  '/$organization/companies': companiesLabel,
  '/$organization/proposals': proposalsLabel,
  '/$organization/playground': playgroundLabel,
  '/$organization/settings/organization': organizationLabel,
  '/$organization/settings/members': membersLabel,
  '/$organization/settings/custom-fields': customFieldsLabel,
  '/$organization/settings/tags': tagsLabel,
  '/$organization/settings/tokens': tokensLabel,
  '/$organization/settings/webhooks': webhooksLabel,
  '/$organization/settings/requests': requestsLabel,
  '/$organization/settings/audit': auditLabel,
  '/$organization/settings/system': systemLabel,
}

/** The titles of pages without breadcrumbs, by path. The server writes them into the HTML, so that they are visible before the code is loaded. */
export const pageTitles: ReadonlyMap<string, string> = new Map(Object.entries(titles).map(([path, { en }]) => [path, en]))
