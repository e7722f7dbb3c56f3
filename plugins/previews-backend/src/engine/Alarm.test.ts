import { Alarm } from './Alarm';

describe('Alarm', () => {
  const never = () => new AbortController().signal;

  it('answers hints that come in quick succession once', async () => {
    const alarm = new Alarm({ settleMilliseconds: 5 });
    alarm.ring();
    alarm.ring();
    await alarm.next(never(), { latestAfterMilliseconds: 60_000 });
    let again = false;
    const abort = new AbortController();
    const second = alarm
      .next(abort.signal, { latestAfterMilliseconds: 60_000 })
      .then(() => (again = true));
    await new Promise(resolve => setImmediate(resolve));
    expect(again).toBe(false);
    abort.abort();
    await second;
  });

  it('takes a hint that came while nobody waited', async () => {
    const alarm = new Alarm({ settleMilliseconds: 0 });
    alarm.ring();
    await expect(
      alarm.next(never(), { latestAfterMilliseconds: 60_000 }),
    ).resolves.toBeUndefined();
  });

  it('wakes whoever waits', async () => {
    const alarm = new Alarm({ settleMilliseconds: 0 });
    const waiting = alarm.next(never(), { latestAfterMilliseconds: 60_000 });
    alarm.ring();
    await expect(waiting).resolves.toBeUndefined();
  });

  it('wakes by itself when the time has come', async () => {
    const alarm = new Alarm({ settleMilliseconds: 60_000 });
    await expect(
      alarm.next(never(), { latestAfterMilliseconds: 1 }),
    ).resolves.toBeUndefined();
  });

  it('gives up at once when told to stop, before and while waiting', async () => {
    const alarm = new Alarm({ settleMilliseconds: 60_000 });
    const abort = new AbortController();
    const waiting = alarm.next(abort.signal, {
      latestAfterMilliseconds: 60_000,
    });
    abort.abort();
    await waiting;
    await alarm.next(abort.signal, { latestAfterMilliseconds: 60_000 });
    alarm.ring();
    await expect(
      alarm.next(abort.signal, { latestAfterMilliseconds: 60_000 }),
    ).resolves.toBeUndefined();
  });
});
