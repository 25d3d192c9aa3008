import type { ContactView } from '@groundwork/api'
import { Button, Checkbox, Group, Menu, Text, TextInput } from '@mantine/core'
import { IconBookmarkPlus, IconPencil, IconTrash, IconUsers, IconUserOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { useForm } from '../../shell/form.ts'
import { notifyError, notifySuccess } from '../../shell/notify.tsx'
import { RowMenu } from '../../shell/row-menu.tsx'
import { viewsKey } from '../keys.ts'
import { shownError } from './errors.ts'
import { listMessages } from './messages.ts'
import type { ListState } from './search.ts'
import { defaultColumns, defaultSort, filterOf, isSameList, stateOfView } from './state.ts'

interface ViewBarProps {
  views: readonly ContactView[]
  view: ContactView | undefined
  state: ListState
  /** Opens a view; undefined opens all contacts. */
  onOpen: (id: string | undefined) => void
  /** Shown beside the tabs. */
  children: ReactNode
}

type Asked = 'new' | 'name' | undefined

/** The views as tabs, and the changes to the present one. */
export function ViewBar({ views, view, state, onOpen, children }: ViewBarProps) {
  const messages = useMessages(listMessages)
  const mayWrite = useMay('contacts:write')
  const mayChange = useMayChange(view)
  const [asked, ask] = useState<Asked>()
  const save = useSaveView()
  const isChanged = !isSameList(state, view === undefined ? {} : stateOfView(view))
  return (
    <>
      <div className="view-bar">
        <nav className="tab-links" aria-label={messages.views}>
          <ViewLink id={undefined} isCurrent={view === undefined}>
            {messages.all}
          </ViewLink>
          {views.map(({ id, name }) => (
            <ViewLink key={id} id={id} isCurrent={id === view?.id}>
              {name}
            </ViewLink>
          ))}
        </nav>
        {view !== undefined && mayChange && (
          <ViewMenu key={view.id} view={view} onRename={() => ask('name')} onDeleted={() => onOpen(undefined)} />
        )}
        {children}
        {isChanged && (view !== undefined || mayWrite) && (
          <Group gap="xs" role="group" aria-label={messages.unsaved}>
            {view !== undefined && (
              <Text size="sm" c="dimmed">
                {messages.unsaved}
              </Text>
            )}
            {view !== undefined && mayChange && (
              <Button
                size="compact-sm"
                mih={32}
                loading={save.isPending}
                onClick={() => save.mutate({ view, change: toView(state) }, { onSuccess: ({ id }) => onOpen(id) })}
              >
                {messages.save}
              </Button>
            )}
            {mayWrite && (
              <Button
                size="compact-sm"
                mih={32}
                variant="default"
                leftSection={<IconBookmarkPlus size={14} aria-hidden />}
                onClick={() => ask('new')}
              >
                {messages.saveAs}
              </Button>
            )}
            <Button size="compact-sm" mih={32} variant="subtle" onClick={() => onOpen(view?.id)}>
              {messages.reset}
            </Button>
          </Group>
        )}
      </div>
      {asked === 'new' && (
        <NameDialog
          title={messages.newTitle}
          name=""
          onClose={() => ask(undefined)}
          onSubmit={(name, shared) => save.mutateAsync({ view: undefined, change: { ...toView(state), name, shared } })}
          onSaved={onOpen}
        />
      )}
      {asked === 'name' && view !== undefined && (
        <NameDialog
          title={messages.rename}
          name={view.name}
          onClose={() => ask(undefined)}
          onSubmit={(name) => save.mutateAsync({ view, change: { name } })}
        />
      )}
    </>
  )
}

const toView = (state: ListState) => ({
  filter: filterOf(state) ?? null,
  q: state.q ?? null,
  sort: state.sort ?? defaultSort,
  columns: state.columns ?? [...defaultColumns],
})

/** Returns whether the user may change the view: its owner, and for shared views owners, admins, and all members if it has no owner. */
function useMayChange(view: ContactView | undefined): boolean {
  const { user, organization } = useWorkspace()
  const mayWrite = useMay('contacts:write')
  if (view === undefined || !mayWrite) return false
  return view.ownerId === null || view.ownerId === user.id || organization.role === 'owner' || organization.role === 'admin'
}

interface Saved {
  view: ContactView | undefined
  change: Partial<ReturnType<typeof toView>> & { name?: string; shared?: boolean }
}

function useSaveView() {
  const messages = useMessages(listMessages)
  const { client, organization } = useWorkspace()
  return useChange(
    async ({ view, change }: Saved) => {
      try {
        if (view !== undefined) return await client.contactViews.update(view.id, change)
        const { name = '', columns = [...defaultColumns], ...more } = change
        return await client.contactViews.create({ ...more, name, columns })
      } catch (error) {
        throw shownError(error, 'change')
      }
    },
    { invalidates: () => [[organization.id, ...viewsKey]], done: ({ name }) => messages.saved(name) },
  )
}

const intoView = (link: HTMLElement | null): void => link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

function ViewLink({ id, isCurrent, children }: { id: string | undefined; isCurrent: boolean; children: string }) {
  const { organization } = useWorkspace()
  return (
    <Link
      to="/$organization/contacts"
      params={{ organization: organization.slug }}
      search={id === undefined ? {} : { view: id }}
      title={children}
      ref={isCurrent ? intoView : undefined}
      // The router marks a link as current by its path alone, unless it compares all search parameters.
      activeOptions={{ exact: true, includeSearch: true }}
      {...(isCurrent ? { 'aria-current': 'page' as const } : { 'aria-current': undefined })}
    >
      {children}
    </Link>
  )
}

function ViewMenu({ view, onRename, onDeleted }: { view: ContactView; onRename: () => void; onDeleted: () => void }) {
  const messages = useMessages(listMessages)
  const { client, organization, user } = useWorkspace()
  const confirm = useConfirm()
  const save = useSaveView()
  const remove = useChange(() => client.contactViews.delete(view.id), {
    notifyFailure: false,
    invalidates: () => [[organization.id, ...viewsKey]],
    onDone() {
      notifySuccess(messages.deleted(view.name))
      onDeleted()
    },
  })
  const share = (shared: boolean): void => save.mutate({ view, change: { shared } })
  const askAndDelete = async (): Promise<void> => {
    const body = view.shared ? messages.deletedForAll : messages.deletedForYou
    if (await confirm({ title: messages.confirmDelete(view.name), body, action: messages.delete }))
      remove.mutate(undefined, { onError: (error) => notifyError(shownError(error, 'change')) })
  }
  return (
    <RowMenu label={messages.actionsOf(view.name)} busy={save.isPending || remove.isPending}>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onRename}>
        {messages.rename}
      </Menu.Item>
      {!view.shared && (
        <Menu.Item leftSection={<IconUsers size={16} aria-hidden />} onClick={() => share(true)}>
          {messages.publish}
        </Menu.Item>
      )}
      {view.shared && view.ownerId === user.id && (
        <Menu.Item leftSection={<IconUserOff size={16} aria-hidden />} onClick={() => share(false)}>
          {messages.unpublish}
        </Menu.Item>
      )}
      <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void askAndDelete()}>
        {messages.delete}
      </Menu.Item>
    </RowMenu>
  )
}

interface NameDialogProps {
  title: string
  name: string
  onClose: () => void
  onSubmit: (name: string, shared: boolean) => Promise<ContactView>
  onSaved?: (id: string) => void
}

function NameDialog({ title, name: former, onClose, onSubmit, onSaved }: NameDialogProps) {
  const messages = useMessages(listMessages)
  const form = useForm({ name: former, shared: false })
  const { name, shared } = form.values
  const { errors } = useMessages(sharedMessages)
  const [isBusy, setBusy] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const submit = async (): Promise<void> => {
    if (name.trim() === '') return setRefused(true)
    form.sending()
    setBusy(true)
    try {
      const { id } = await onSubmit(name.trim(), shared)
      onClose()
      onSaved?.(id)
    } catch (error) {
      // `useChange` has shown the failure.
      form.refuse(error)
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={title}
      form={form}
      onClose={onClose}
      onSubmit={() => void submit()}
      action={messages.create}
      busy={isBusy}
      error={null}
      fields={[]}
    >
      <TextInput
        label={messages.name}
        {...form.text('name')}
        maxLength={80}
        error={isRefused && name.trim() === '' ? errors.required : undefined}
        data-autofocus
        autoComplete="off"
      />
      {onSaved !== undefined && <Checkbox label={messages.visible} description={messages.visibleHelp} {...form.flag('shared')} />}
    </FormDialog>
  )
}
