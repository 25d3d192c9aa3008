import type { CustomField } from '@groundwork/api'
import { List, NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { conversionsKey, customFieldsKey } from '../../lib/custom-fields.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { sentBy, useForm } from '../../shell/form.ts'
import { Loaded, SkeletonRows } from '../../shell/states.tsx'
import { customFieldMessages } from './messages.ts'
import { typeOf } from './types.ts'

const shownValues = 20

/** Changes the type of a field after a dry run, which lists the values that would be lost. */
export function ConvertField({ field, onClose }: { field: CustomField; onClose: () => void }) {
  const messages = useMessages(customFieldMessages)
  const { client, organization } = useWorkspace()
  const others = Object.entries(messages.types).filter(([type]) => type !== field.type)
  const form = useForm({ type: others[0]?.[0] ?? 'text' })
  const { type } = form.values
  const preview = useQuery({
    queryKey: [organization.id, ...conversionsKey, field.id, type],
    queryFn: () => client.customFields.convert(field.id, { type: typeOf(type), dryRun: true }),
    gcTime: 0,
    retry: false,
  })
  const change = useChange((values: typeof form.values) => client.customFields.convert(field.id, { type: typeOf(values.type) }), {
    invalidates: () => [[organization.id, ...customFieldsKey]],
    done: messages.converted,
    notifyFailure: false,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={messages.convert}
      onClose={onClose}
      {...sentBy(form, change)}
      action={messages.convert}
      disabled={preview.data === undefined || preview.data.lost > 0}
      fields={['type']}
    >
      <Text size="sm">{messages.convertHelp}</Text>
      <NativeSelect label={messages.type} data={others.map(([value, label]) => ({ value, label }))} {...form.text('type')} data-autofocus />
      <Loaded query={preview} skeleton={<SkeletonRows rows={1} />}>
        {({ kept, lost, lostValues }) => (
          <div role="status">
            <Text size="sm">{messages.kept(kept)}</Text>
            {lost > 0 && (
              <>
                <Text size="sm" c="var(--mantine-color-error)">
                  {messages.lost(lost)}
                </Text>
                <List size="sm" className="wrap">
                  {lostValues.slice(0, shownValues).map(({ recordId, value }) => (
                    <List.Item key={recordId}>{typeof value === 'string' ? value : JSON.stringify(value)}</List.Item>
                  ))}
                </List>
              </>
            )}
          </div>
        )}
      </Loaded>
    </FormDialog>
  )
}
