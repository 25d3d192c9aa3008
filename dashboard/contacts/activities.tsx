import type { Activity } from '@groundwork/api'
import { Badge, Box, Button, Checkbox, Group, Menu, SegmentedControl, Select, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contactKey } from '../lib/contact.ts'
import { rowsOf } from '../lib/pages.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import { useConfirm } from '../shell/confirm.tsx'
import { FormDialog } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { RelativeTime } from '../shell/relative-time.tsx'
import { RowMenu } from '../shell/row-menu.tsx'
import { MoreButton } from '../shell/more-button.tsx'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { useMayEdit } from '../shell/record-gone.tsx'
import { activitiesKey, timelineKey } from './keys.ts'
import { activitiesQuery } from './queries.ts'
import { contactMessages } from './messages.ts'

const types = ['note', 'call', 'email', 'message', 'meeting', 'task'] as const
type Type = (typeof types)[number]

/** Lists the calls, notes and tasks of a contact, with buttons that log one. */
export function ActivitiesOfContact({ contactId }: { contactId: string }) {
  const { activities: messages } = useMessages(contactMessages)
  const query = useInfiniteQuery(activitiesQuery(useWorkspace(), contactId))
  const mayWrite = useMayEdit('contacts:write')
  const [adding, setAdding] = useState<Type>()
  return (
    <Box component="section" aria-label={messages.title}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{messages.title}</Title>
        {mayWrite && (
          <Group gap="xs">
            {(['note', 'call', 'task'] as const).map((type) => (
              <Button key={type} variant="default" size="sm" onClick={() => setAdding(type)}>
                {messages.add[type]}
              </Button>
            ))}
          </Group>
        )}
      </Group>
      <Loaded query={query} skeleton={<SkeletonRows rows={2} />}>
        {(data) => (
          <Stack gap="sm">
            {rowsOf(data).length === 0 && <Text c="dimmed">{messages.none}</Text>}
            <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
              {rowsOf(data).map((activity) => (
                <li key={activity.id}>
                  <ActivityLine activity={activity} mayWrite={mayWrite} />
                </li>
              ))}
            </Stack>
            <MoreButton query={query} />
          </Stack>
        )}
      </Loaded>
      {adding !== undefined && <LogActivity contactId={contactId} type={adding} onClose={() => setAdding(undefined)} />}
    </Box>
  )
}

/** Returns the keys of the queries that a change of an activity makes stale. */
function useStaleKeys(contactId: string) {
  const { organization } = useWorkspace()
  return () =>
    [activitiesKey(contactId), timelineKey(contactId), contactKey(contactId), ['overview']].map((key) => [organization.id, ...key])
}

function ActivityLine({ activity, mayWrite }: { activity: Activity; mayWrite: boolean }) {
  const { activities: messages } = useMessages(contactMessages)
  const { client } = useWorkspace()
  const invalidates = useStaleKeys(activity.contactId)
  const remove = useChange(() => client.contacts.activities.delete(activity.contactId, activity.id), {
    invalidates,
    done: messages.deleted,
  })
  const confirm = useConfirm()
  const ask = async (): Promise<void> => {
    const question = { title: messages.deleteTitle[activity.type], body: messages.deleteHelp, action: messages.delete }
    if (await confirm(question)) remove.mutate()
  }
  // The choice of the user, until the list has the answer.
  const [chosen, setChosen] = useState<boolean>()
  const finish = useChange((done: boolean) => client.contacts.activities.update(activity.contactId, activity.id, { done }), { invalidates })
  const { type, direction, text, occurredAt, dueAt, doneAt, durationSeconds, createdBy } = activity
  const isTask = type === 'task'
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
      <Box miw={0}>
        <Group gap="xs">
          <Badge variant="light">{messages.types[type]}</Badge>
          {direction !== null && <Text size="sm">{messages.directions[direction]}</Text>}
          {durationSeconds !== null && <Text size="sm">{messages.minutes(Math.max(1, Math.round(durationSeconds / 60)))}</Text>}
        </Group>
        {isTask ? (
          <Checkbox
            mt={4}
            label={text}
            checked={chosen ?? doneAt !== null}
            disabled={!mayWrite}
            onChange={({ currentTarget: { checked } }) => {
              setChosen(checked)
              finish.mutate(checked, { onSettled: () => setChosen(undefined) })
            }}
          />
        ) : (
          text !== null && (
            <Text className="wrap" mt={4} style={{ whiteSpace: 'pre-wrap' }}>
              {text}
            </Text>
          )
        )}
        <Text size="sm" c="dimmed">
          {isTask && dueAt !== null ? (
            <>
              {messages.due} <RelativeTime at={dueAt} />
            </>
          ) : (
            <RelativeTime at={occurredAt} />
          )}
          {createdBy?.name != null && ` · ${createdBy.name}`}
        </Text>
      </Box>
      {mayWrite && (
        <RowMenu label={messages.actionsOf(text ?? messages.types[type])} busy={remove.isPending}>
          <Menu.Item c="var(--mantine-color-error)" onClick={() => void ask()}>
            {messages.delete}
          </Menu.Item>
        </RowMenu>
      )}
    </Group>
  )
}

const emptyForm = { type: 'note' as Type, direction: 'inbound', text: '', minutes: '', dueAt: '' }

function LogActivity({ contactId, type, onClose }: { contactId: string; type: Type; onClose: () => void }) {
  const { activities: messages } = useMessages(contactMessages)
  const { client } = useWorkspace()
  const form = useForm({ ...emptyForm, type })
  const change = useChange(
    ({ text, direction, minutes, dueAt, ...values }: typeof emptyForm) =>
      client.contacts.activities.create(contactId, {
        type: values.type,
        ...(text.trim() !== '' && { text }),
        ...(['call', 'email', 'message'].includes(values.type) && { direction: direction === 'outbound' ? 'outbound' : 'inbound' }),
        ...(values.type === 'call' && /^\d+$/.test(minutes) && { durationSeconds: Number(minutes) * 60 }),
        ...(values.type === 'task' && dueAt !== '' && { dueAt: new Date(dueAt).toISOString() }),
      }),
    { invalidates: useStaleKeys(contactId), done: messages.logged, notifyFailure: false, onDone: onClose },
  )
  const { type: chosen } = form.values
  return (
    <FormDialog title={messages.newTitle} onClose={onClose} {...sentBy(form, change)} action={messages.save} fields={['text', 'dueAt']}>
      <Select
        label={messages.type}
        data={types.map((value) => ({ value, label: messages.types[value] }))}
        value={chosen}
        onChange={(value) => form.set('type', types.find((each) => each === value) ?? 'note')}
        allowDeselect={false}
      />
      {['call', 'email', 'message'].includes(chosen) && (
        <SegmentedControl
          aria-label={messages.direction}
          data={[
            { value: 'inbound', label: messages.directions.inbound },
            { value: 'outbound', label: messages.directions.outbound },
          ]}
          value={form.values.direction}
          onChange={(value) => form.set('direction', value)}
        />
      )}
      <Textarea label={messages.text} autosize minRows={3} maxRows={12} data-autofocus {...form.text('text')} />
      {chosen === 'call' && <TextInput label={messages.duration} inputMode="numeric" {...form.text('minutes')} />}
      {chosen === 'task' && <TextInput label={messages.dueAt} type="datetime-local" {...form.text('dueAt')} />}
    </FormDialog>
  )
}
