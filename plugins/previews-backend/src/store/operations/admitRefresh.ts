import { Knex } from 'knex';
import { idleLimit, readDatabaseTime } from '../dialect';
import { RefreshLogRow, SETTING_REFRESH_LOCK, SettingRow } from '../tables';

const WINDOW_MS = 60_000;

function secondsUntil(free: number, now: number): number {
  return Math.max(1, Math.ceil((free - now) / 1000));
}

/**
 * Counts in the database, because the limits are those of the portal and not of
 * one replica. A refused refresh counts for nothing.
 */
export async function admitRefresh(
  knex: Knex,
  options: {
    previewId: string;
    caller: string;
    perPreviewSeconds: number;
    perCallerPerMinute: number;
  },
): Promise<
  { admitted: true } | { admitted: false; retryAfterSeconds: number }
> {
  return knex.transaction(async transaction => {
    // Without the lock, two replicas could both find the last place free.
    await transaction<SettingRow>('settings')
      .where({ name: SETTING_REFRESH_LOCK })
      .forUpdate()
      .first('name', ...idleLimit(transaction));
    const now = await readDatabaseTime(transaction);
    const perPreviewMs = options.perPreviewSeconds * 1000;
    await transaction<RefreshLogRow>('refresh_log')
      .where('at', '<=', now - Math.max(WINDOW_MS, perPreviewMs))
      .delete();

    const last = await transaction<RefreshLogRow>('refresh_log')
      .where('preview_id', options.previewId)
      .orderBy('at', 'desc')
      .first('at');
    if (last && Number(last.at) + perPreviewMs > now) {
      return {
        admitted: false,
        retryAfterSeconds: secondsUntil(Number(last.at) + perPreviewMs, now),
      };
    }

    const mine = await transaction<RefreshLogRow>('refresh_log')
      .where('caller', options.caller)
      .andWhere('at', '>', now - WINDOW_MS)
      .orderBy('at', 'desc')
      .limit(options.perCallerPerMinute)
      .select('at');
    if (mine.length >= options.perCallerPerMinute) {
      const oldest = mine[mine.length - 1];
      return {
        admitted: false,
        retryAfterSeconds: secondsUntil(
          Number(oldest?.at ?? now) + WINDOW_MS,
          now,
        ),
      };
    }

    await transaction('refresh_log').insert({
      preview_id: options.previewId,
      caller: options.caller,
      at: now,
    });
    return { admitted: true };
  });
}
