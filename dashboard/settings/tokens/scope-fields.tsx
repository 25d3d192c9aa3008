import type { Scope } from '@groundwork/api'
import { Box, Checkbox, Fieldset, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { groupsOf, presetNames, presetOf, scopesOf, type ScopeGroup } from './scope-presets.ts'
import { tokenMessages } from './messages.ts'

interface ScopeFieldsProps {
  value: readonly Scope[]
  onChange: (scopes: readonly Scope[]) => void
  error: string | undefined
}

/** Selects the permissions of a token, by preset or one by one. */
export function ScopeFields({ value, onChange, error }: ScopeFieldsProps) {
  const messages = useMessages(tokenMessages)
  const granted = useWorkspace().organization.scopes
  const preset = presetOf(value, granted)
  const choose = (name: string): void => {
    const chosen = presetNames.find((known) => known === name)
    if (chosen !== undefined) onChange(chosen === 'own' ? [] : scopesOf(chosen, granted))
  }
  return (
    <>
      <NativeSelect
        label={messages.preset}
        value={preset}
        onChange={(event) => choose(event.currentTarget.value)}
        data={presetNames.map((name) => ({ value: name, label: messages.presets[name] }))}
      />
      <Fieldset legend={messages.permissions} p="sm">
        <Stack gap={4}>
          {groupsOf(granted).map((group) => (
            <Resource key={group.resource} group={group} value={value} onChange={onChange} />
          ))}
          {error !== undefined && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {error}
            </Text>
          )}
        </Stack>
      </Fieldset>
    </>
  )
}

function Resource({ group, value, onChange }: Omit<ScopeFieldsProps, 'error'> & { group: ScopeGroup }) {
  const messages = useMessages(tokenMessages)
  const [name, about] = messages.resources[group.resource] ?? [group.resource, '']
  const box = (scope: Scope | undefined, verb: string) => (
    <Box w={84}>
      {scope !== undefined && (
        <Checkbox
          label={verb}
          aria-label={`${name}: ${verb}`}
          checked={value.includes(scope)}
          onChange={(event) => onChange(event.currentTarget.checked ? [...value, scope] : value.filter((selected) => selected !== scope))}
          py={8}
        />
      )}
    </Box>
  )
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Box miw={0}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" visibleFrom="xs">
          {about}
        </Text>
      </Box>
      <Group wrap="nowrap" gap={0} flex="none">
        {box(group.read, messages.read)}
        {box(group.write, messages.write)}
      </Group>
    </Group>
  )
}
