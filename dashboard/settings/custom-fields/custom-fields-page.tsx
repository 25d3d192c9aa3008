import type { CustomField } from '@groundwork/api'
import { Button, Menu, SegmentedControl, Text } from '@mantine/core'
import { IconForms, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { customFieldsKey } from '../../lib/custom-fields.ts'
import { pagesOf } from '../../lib/pages.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { isolated, useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import type { Column } from '../../shell/data-table.tsx'
import { Page } from '../../shell/page.tsx'
import { PagedTable } from '../../shell/paged-table.tsx'
import { RowMenu } from '../../shell/row-menu.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { customFieldsLabel } from '../label.ts'
import { ConvertField } from './convert-field.tsx'
import { CreateField, EditField } from './field-dialogs.tsx'
import { customFieldMessages } from './messages.ts'

interface OpenedDialog {
  dialog: 'edit' | 'convert'
  field: CustomField
}

export function CustomFieldsPage() {
  const title = useMessages(customFieldsLabel)
  const messages = useMessages(customFieldMessages)
  const { client, organization } = useWorkspace()
  const mayWrite = useMay('contacts:write')
  const [creating, setCreating] = useState(false)
  const [archived, setArchived] = useState(false)
  // Not in the rows, which are rendered anew when a phone is turned.
  const [opened, setOpened] = useState<OpenedDialog>()
  const close = (): void => setOpened(undefined)
  const query = useInfiniteQuery(
    pagesOf([organization.id, ...customFieldsKey, 'list', archived], ({ query: page, signal }) =>
      client.customFields.list({ ...page, archived, limit: 100 }, { signal }).page(),
    ),
  )
  const columns = useColumns()
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {messages.create}
    </Button>
  )
  return (
    <Page guide="custom-fields" title={title} description={messages.about} actions={create}>
      <SegmentedControl
        aria-label={messages.show}
        data={[
          { value: 'active', label: messages.active },
          { value: 'archived', label: messages.archived },
        ]}
        value={archived ? 'archived' : 'active'}
        onChange={(value) => setArchived(value === 'archived')}
        w="fit-content"
      />
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={IconForms} title={archived ? messages.noneArchived : messages.emptyTitle}>
            {archived ? messages.noneArchivedHelp : messages.emptyHelp}
          </EmptyState>
        }
        label={title}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        {...(mayWrite && { actions: (field: CustomField) => <FieldMenu field={field} onOpen={setOpened} /> })}
      />
      {creating && <CreateField onClose={() => setCreating(false)} />}
      {opened?.dialog === 'edit' && <EditField field={opened.field} onClose={close} />}
      {opened?.dialog === 'convert' && <ConvertField field={opened.field} onClose={close} />}
    </Page>
  )
}

function useColumns(): Column<CustomField>[] {
  const { columns, entities, types } = useMessages(customFieldMessages)
  const { none } = useMessages(sharedMessages)
  return [
    { key: 'name', header: columns.name, cell: ({ name }) => <span className="wrap">{name}</span>, width: 220 },
    { key: 'entity', header: columns.entity, cell: ({ entity }) => entities[entity], width: 120 },
    { key: 'type', header: columns.type, cell: ({ type }) => types[type], width: 150 },
    {
      key: 'options',
      header: columns.options,
      cell: ({ options }) => (options === null ? none : <Options labels={options.map(({ label }) => isolated(label)).join(', ')} />),
    },
  ]
}

/** The dialog of the field has all options below each other. */
function Options({ labels }: { labels: string }) {
  return (
    <Text size="sm" className="wrap" lineClamp={3} title={labels}>
      {labels}
    </Text>
  )
}

function FieldMenu({ field, onOpen }: { field: CustomField; onOpen: (dialog: OpenedDialog) => void }) {
  const messages = useMessages(customFieldMessages)
  const { client, organization } = useWorkspace()
  const confirm = useConfirm()
  const invalidates = () => [[organization.id, ...customFieldsKey]]
  const archive = useChange(() => client.customFields.delete(field.id), { invalidates, done: messages.archivedDone })
  const restore = useChange(() => client.customFields.restore(field.id), {
    invalidates,
    done: messages.restored,
    refusals: { conflict: messages.notRestored },
  })
  const ask = async (): Promise<void> => {
    const question = { title: messages.archiveTitle(field.name), body: messages.archiveBody, action: messages.archive }
    if (await confirm(question)) archive.mutate()
  }
  return (
    <RowMenu label={messages.menu(field.name)} busy={archive.isPending || restore.isPending}>
      {field.archivedAt === null ? (
        <>
          <Menu.Item onClick={() => onOpen({ dialog: 'edit', field })}>{messages.edit}</Menu.Item>
          <Menu.Item onClick={() => onOpen({ dialog: 'convert', field })}>{messages.convert}</Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" onClick={() => void ask()}>
            {messages.archive}
          </Menu.Item>
        </>
      ) : (
        <Menu.Item onClick={() => restore.mutate()}>{messages.restore}</Menu.Item>
      )}
    </RowMenu>
  )
}
