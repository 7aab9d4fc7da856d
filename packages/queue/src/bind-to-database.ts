import type { Redis } from 'ioredis';

/**
 * Has a client connect to the database it was asked for, or not at all: the library itself goes on in database 0 where
 * the server refuses to select, and so among the jobs of another installation. Its duplicates keep to this as well.
 */
export function bindToDatabase(client: Redis): Redis {
  client.on('error', (error) => {
    if (isOfSelect(error)) client.disconnect(true);
  });
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (override) => bindToDatabase(duplicate(override));
  return client;
}

/** Whether the server's answer was to a SELECT, which the library sends by itself as soon as it is connected. */
function isOfSelect(error: Error): boolean {
  const command: unknown = Reflect.get(error, 'command');
  return typeof command === 'object' && command !== null && Reflect.get(command, 'name') === 'select';
}
