import './import.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { Page } from '../../shell/page.tsx'
import { Loaded, SkeletonRows } from '../../shell/states.tsx'
import { contactsLabel } from '../messages.ts'
import { ColumnsStep } from './columns-step.tsx'
import { FileStep } from './file-step.tsx'
import { FormerImports } from './former-imports.tsx'
import { importMessages } from './messages.ts'
import { PreviewStep } from './preview-step.tsx'
import { importQuery } from './queries.ts'
import { Steps } from './steps.tsx'

const route = getRouteApi('/$organization/contacts/import')

/** Imports contacts in steps. The URL has the uploaded file and its dry run, so that nothing is lost on leaving the page. */
export function ImportPage() {
  const messages = useMessages(importMessages)
  const crumbs = [{ label: useMessages(contactsLabel), to: '/$organization/contacts' }] as const
  const { upload, check, step } = route.useSearch()
  const mayWrite = useMay('contacts:write')
  if (mayWrite && upload !== undefined && check !== undefined) {
    return (
      <Page title={messages.title} crumbs={crumbs}>
        <Steps current={step ?? 'columns'} />
        <CheckedSteps checkId={check} />
      </Page>
    )
  }
  return (
    <Page guide="imports" title={messages.title} description={messages.about} crumbs={crumbs}>
      {mayWrite && (
        <>
          <Steps current="file" />
          <FileStep />
        </>
      )}
      <FormerImports />
    </Page>
  )
}

function CheckedSteps({ checkId }: { checkId: string }) {
  const { step } = route.useSearch()
  const query = useQuery(importQuery(useWorkspace(), checkId))
  return (
    <Loaded query={query} skeleton={<SkeletonRows />}>
      {(check) => (step === 'preview' ? <PreviewStep check={check} /> : <ColumnsStep key={check.id} check={check} />)}
    </Loaded>
  )
}
