import type { Scope } from '@groundwork/api'
import { Checkbox, Menu, TextInput } from '@mantine/core'
import { IconPencil, IconTrash, IconUsers, IconUserOff } from '@tabler/icons-react'
import type { QueryKey } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { viewsMessages } from '../../messages/views.ts'
import { useChange } from '../change.ts'
import { useConfirm } from '../confirm.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { useForm } from '../form.ts'
import { notifyError, notifySuccess } from '../notify.tsx'

/** A saved view of any list. */
export interface SavedView {
  id: string
  name: string
  shared: boolean
  ownerId: string | null
}

interface Named {
  name: string
  shared: boolean
}

/** The list to which views belong. */
export interface ViewedList<State> {
  /** The scope for creating and changing views. */
  scope: Scope
  words: {
    /** The list without a view. */
    all: string
    /** The accessible name of the views. */
    views: string
    /** Says that the records stay when a view is deleted. */
    stays: string
  }
  /** The key of the query of the views. */
  queryKey: QueryKey
  create: (view: State & Named) => Promise<SavedView>
  update: (id: string, change: State | Partial<Named>) => Promise<SavedView>
  delete: (id: string) => Promise<void>
  shownError: (error: unknown) => unknown
}

/** The views of a list, and what the page shows of it. */
export interface ViewsProps<State> {
  list: ViewedList<State>
  views: readonly SavedView[]
  view: SavedView | undefined
  /** What the page shows, as fields of a view. */
  state: State
  /** Whether the page shows something else than the view, or than all records. */
  isChanged: boolean
  /** Opens a view; undefined opens the list without one. */
  onOpen: (id: string | undefined) => void
}

/** The changes to views that the controls of a list offer. */
interface ViewChanges {
  /** Whether the user may create views. */
  mayWrite: boolean
  /** Whether the user may change the present view. */
  mayChange: boolean
  isBusy: boolean
  /** Saves what the page shows in the present view. */
  save: () => void
  /** Asks for the name of a new view. */
  saveAs: () => void
  /** Menu.Item elements with further changes to the present view. */
  items: ReactNode
  /** The dialog that is open. */
  dialog: ReactNode
}

type Asked = { for: 'new' } | { for: 'name'; view: SavedView }

export function useViewChanges<State extends object>({ list, view, state, onOpen }: ViewsProps<State>): ViewChanges {
  const messages = useMessages(viewsMessages)
  const mayWrite = useMay(list.scope)
  const mayChange = useMayChange(list.scope, view)
  const [asked, ask] = useState<Asked>()
  const save = useSaveView(list)
  const remove = useRemoveView(list, () => onOpen(undefined))
  const close = (): void => ask(undefined)
  return {
    mayWrite,
    mayChange,
    isBusy: save.isPending || remove.isPending,
    save: () => view !== undefined && save.mutate(() => list.update(view.id, state), { onSuccess: ({ id }) => onOpen(id) }),
    saveAs: () => ask({ for: 'new' }),
    items: view !== undefined && mayChange && (
      <ViewItems
        view={view}
        onRename={() => ask({ for: 'name', view })}
        onShare={(shared) => save.mutate(() => list.update(view.id, { shared }))}
        onDelete={() => remove.ask(view)}
      />
    ),
    dialog:
      asked?.for === 'new' ? (
        <NameDialog
          title={messages.newTitle}
          name=""
          onClose={close}
          onSubmit={(name, shared) => save.mutateAsync(() => list.create({ ...state, name, shared }))}
          onSaved={onOpen}
        />
      ) : asked?.for === 'name' ? (
        <NameDialog
          title={messages.rename}
          name={asked.view.name}
          onClose={close}
          onSubmit={(name) => save.mutateAsync(() => list.update(asked.view.id, { name }))}
        />
      ) : null,
  }
}

/** Returns whether the user may change the view: its owner, and for shared views owners, admins, and all members if it has no owner. */
function useMayChange(scope: Scope, view: SavedView | undefined): boolean {
  const { user, organization } = useWorkspace()
  const mayWrite = useMay(scope)
  if (view === undefined || !mayWrite) return false
  return view.ownerId === null || view.ownerId === user.id || organization.role === 'owner' || organization.role === 'admin'
}

/** A change that creates or updates a view. */
function useSaveView({ queryKey, shownError }: Pick<ViewedList<object>, 'queryKey' | 'shownError'>) {
  const messages = useMessages(viewsMessages)
  return useChange(
    async (send: () => Promise<SavedView>) => {
      try {
        return await send()
      } catch (error) {
        throw shownError(error)
      }
    },
    { invalidates: () => [queryKey], done: ({ name }) => messages.saved(name) },
  )
}

/** Deletes a view after a confirmation. */
function useRemoveView(list: ViewedList<never>, onDeleted: () => void): { ask: (view: SavedView) => void; isPending: boolean } {
  const messages = useMessages(viewsMessages)
  const confirm = useConfirm()
  const remove = useChange(({ id }: SavedView) => list.delete(id), {
    notifyFailure: false,
    invalidates: () => [list.queryKey],
    onDone(_, { name }) {
      notifySuccess(messages.deleted(name))
      onDeleted()
    },
  })
  const ask = async (view: SavedView): Promise<void> => {
    const body = view.shared ? messages.deletedForAll(list.words.stays) : list.words.stays
    if (await confirm({ title: messages.confirmDelete(view.name), body, action: messages.delete }))
      remove.mutate(view, { onError: (error) => notifyError(list.shownError(error)) })
  }
  return { ask: (view) => void ask(view), isPending: remove.isPending }
}

interface ViewItemsProps {
  view: SavedView
  onRename: () => void
  onShare: (shared: boolean) => void
  onDelete: () => void
}

function ViewItems({ view, onRename, onShare, onDelete }: ViewItemsProps) {
  const messages = useMessages(viewsMessages)
  const { user } = useWorkspace()
  return (
    <>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onRename}>
        {messages.rename}
      </Menu.Item>
      {!view.shared && (
        <Menu.Item leftSection={<IconUsers size={16} aria-hidden />} onClick={() => onShare(true)}>
          {messages.publish}
        </Menu.Item>
      )}
      {view.shared && view.ownerId === user.id && (
        <Menu.Item leftSection={<IconUserOff size={16} aria-hidden />} onClick={() => onShare(false)}>
          {messages.unpublish}
        </Menu.Item>
      )}
      <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
        {messages.delete}
      </Menu.Item>
    </>
  )
}

interface NameDialogProps {
  title: string
  name: string
  onClose: () => void
  onSubmit: (name: string, shared: boolean) => Promise<SavedView>
  onSaved?: (id: string) => void
}

function NameDialog({ title, name: former, onClose, onSubmit, onSaved }: NameDialogProps) {
  const messages = useMessages(viewsMessages)
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
