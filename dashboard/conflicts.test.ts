import { api } from '@groundwork/api'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/**
 * Where the dashboard calls each operation that can answer 409, and why it needs no message of its own there. `form`: the refusal
 * names a field, whose message is in messages/fields.ts.
 */
const callers: Readonly<Record<string, string | { none: string } | { form: string }>> = {
  'contacts.create': { form: 'contacts/create-contact.tsx' },
  'contacts.update': { form: 'contacts/save-field.ts' },
  'contacts.erase': 'contacts/erase-contact.tsx',
  'contacts.restore': 'contacts/contact-page.tsx',
  'contacts.upsert': { none: 'not called' },
  'contacts.revert': 'contacts/field-origin.tsx',
  'contactImports.cancel': 'contacts/import/import-result-page.tsx',
  'contactJobs.cancel': { none: 'not called' },
  'contactSuggestions.accept': 'contacts/suggestions.tsx',
  'contactSuggestions.dismiss': 'contacts/suggestions.tsx',
  'contactTags.rename': 'settings/tags/tags-page.tsx',
  'contactMerges.merge': 'contacts/merge/merge-page.tsx',
  'contactMerges.unmerge': 'contacts/merge/merged-contacts.tsx',
  'contactViews.create': 'contacts/list/errors.ts',
  'companies.create': 'companies/errors.ts',
  'companies.update': 'companies/errors.ts',
  'companies.restore': 'companies/deleted-page.tsx',
  'companyMerges.merge': 'companies/errors.ts',
  'companyMerges.unmerge': 'companies/errors.ts',
  'activities.create': { none: 'only an externalId can conflict, which the dashboard does not send' },
  'activities.update': { none: 'only an externalId can conflict, which the dashboard does not send' },
  'customFields.create': 'settings/custom-fields/field-dialogs.tsx',
  'customFields.update': { form: 'settings/custom-fields/field-dialogs.tsx' },
  'customFields.restore': 'settings/custom-fields/custom-fields-page.tsx',
  'customFields.convert': { form: 'settings/custom-fields/convert-field.tsx' },
  'proposals.create': { form: 'proposals/proposal-form.tsx' },
  'proposals.update': { form: 'proposals/proposal-form.tsx' },
  'proposals.delete': 'proposals/bulk-actions.tsx',
  'proposals.send': 'proposals/proposal-page.tsx',
  'proposals.duplicate': 'proposals/versions.tsx',
  'proposals.revise': 'proposals/versions.tsx',
  'proposals.void': 'proposals/void-proposal.tsx',
  'proposals.countersign': 'proposals/countersign.tsx',
  'proposalListViews.create': 'proposals/proposals-page.tsx',
  'proposalQuestions.answer': { form: 'proposals/questions.tsx' },
  'bases.update': 'knowledge/base-settings-page.tsx',
  'sourceViews.create': 'knowledge/sources-page.tsx',
  'sources.add': { none: 'only an externalId can conflict, which the dashboard does not send' },
  'sources.cancel': 'knowledge/source-actions.tsx',
  'sources.retry': 'knowledge/source-actions.tsx',
  'sources.sync': 'knowledge/source-actions.tsx',
  'uploads.resume': { none: 'the SDK resumes an upload, and the queue offers to repeat it' },
  'uploads.complete': { none: 'the SDK sends all parts first' },
  'uploads.putPart': { none: 'the SDK sends parts before it completes the upload' },
  'uploads.put': { none: 'each upload is sent once' },
  'reindexes.start': 'knowledge/reindex-page.tsx',
  'reindexes.switch': 'knowledge/reindex-card.tsx',
  'reindexes.rollback': 'knowledge/reindex-card.tsx',
  'reindexes.cancel': 'knowledge/reindex-card.tsx',
  'search.base': { none: 'only a search of a re-index, which the dashboard does not run' },
  'answers.base': { none: 'without a chat model, the button is not shown' },
  'questions.create': 'knowledge/questions.tsx',
  'questions.createMany': { none: 'not called' },
  'evaluations.start': 'knowledge/evaluation-page.tsx',
  'tools.saveContact': { none: 'for agents' },
  'tools.logActivity': { none: 'for agents' },
  'tools.addTask': { none: 'for agents' },
  'tokens.rotate': 'settings/rotate-dialog.tsx',
  'webhooks.create': 'settings/webhooks/endpoint-dialogs.tsx',
  'webhooks.test': 'settings/webhooks/endpoint-actions.tsx',
  'webhooks.redeliver': 'settings/webhooks/deliveries.tsx',
  'webhookDeliveries.redeliver': 'settings/webhooks/delivery-drawer.tsx',
  'people.setUp': 'auth/setup-page.tsx',
  'organizations.create': 'auth/new-organization-page.tsx',
  'organizations.update': { form: 'settings/organization/organization-page.tsx' },
  'members.update': 'settings/members/members-page.tsx',
  'members.remove': 'settings/members/member-menu.tsx',
  'invitations.create': { form: 'settings/members/invite-dialog.tsx' },
  'invitations.accept': 'auth/invitation-page.tsx',
}

const conflicting = Object.entries(api).flatMap(([group, routes]) =>
  Object.entries<object>(routes).flatMap(([name, route]) =>
    'errors' in route && Array.isArray(route.errors) && route.errors.includes('conflict') ? [`${group}.${name}`] : [],
  ),
)

describe('a refusal with 409', () => {
  test('is known for each operation that can answer it', () => {
    expect(conflicting.toSorted()).toEqual(Object.keys(callers).toSorted())
  })

  const files = Object.entries(callers).flatMap(([operation, caller]) => (typeof caller === 'string' ? [[operation, caller] as const] : []))
  test.each(files)('of %s has a message in %s', (_operation, file) => {
    expect(readFileSync(new URL(file, import.meta.url), 'utf8')).toMatch(/conflict: |statusRefusals|ConflictError/)
  })
})
