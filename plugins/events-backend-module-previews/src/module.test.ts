import { createHmac } from 'node:crypto';
import { mockServices, startTestBackend } from '@backstage/backend-test-utils';
import eventsPlugin from '@backstage/plugin-events-backend';
import { EventParams } from '@backstage/plugin-events-node';
import request from 'supertest';
import eventsModulePreviews from './index';

const path = '/api/events/http/previews-gitlab';
const payload = {
  object_kind: 'merge_request',
  project: { id: 101, web_url: 'https://gitlab.example.com/shop/web' },
  object_attributes: { iid: 7, title: '<b>Ünïcode</b>' },
};
const signingKey = Buffer.from('the-signing-key-of-a-test');

async function start(webhookSecrets: string[] | undefined) {
  const received: EventParams[] = [];
  const logger = mockServices.logger.mock();
  logger.child.mockReturnValue(logger);
  const { server } = await startTestBackend({
    features: [
      eventsPlugin,
      eventsModulePreviews,
      mockServices.events.mock({
        publish: async event => {
          received.push(event);
        },
      }).factory,
      mockServices.rootConfig.factory({
        data: {
          previews: {
            gitlab: [
              {
                host: 'gitlab.example.com',
                ...(webhookSecrets && { webhookSecrets }),
              },
            ],
          },
        },
      }),
      logger.factory,
    ],
  });
  return { server, received, logger };
}

function signatureHeaders(body: string, seconds: number) {
  return {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${createHmac('sha256', signingKey)
      .update(`msg_1.${seconds}.${body}`)
      .digest('base64')}`,
  };
}

describe('the webhook ingress', () => {
  it('takes what carries a secret, with either of two while one is replaced', async () => {
    const { server, received } = await start(['secret-old', 'secret-new']);
    for (const secret of ['secret-old', 'secret-new']) {
      await request(server)
        .post(path)
        .set('X-Gitlab-Token', secret)
        .set('X-Gitlab-Event', 'Merge Request Hook')
        .send(payload)
        .expect(202);
    }
    expect(received.map(event => event.eventPayload)).toEqual([
      payload,
      payload,
    ]);
  });

  it('refuses what carries no secret or a wrong one, and publishes nothing of it', async () => {
    const { server, received } = await start(['secret-new']);
    await request(server).post(path).send(payload).expect(403);
    await request(server)
      .post(path)
      .set('X-Gitlab-Token', 'secret-old')
      .send(payload)
      .expect(403, { message: 'Forbidden' });
    expect(received).toEqual([]);
  });

  it('takes what is signed over the body as it was sent', async () => {
    const { server, received } = await start([
      `whsec_${signingKey.toString('base64')}`,
    ]);
    // Not as JSON.stringify would write it again.
    const body = `  ${JSON.stringify(payload, null, 3)}\n`;
    await request(server)
      .post(path)
      .set(signatureHeaders(body, Math.floor(Date.now() / 1000)))
      .send(body)
      .expect(202);
    expect(received[0].eventPayload).toEqual(payload);
  });

  it('refuses a signed one that is sent again later, or was changed', async () => {
    const { server, received } = await start([
      `whsec_${signingKey.toString('base64')}`,
    ]);
    const body = JSON.stringify(payload);
    const now = Math.floor(Date.now() / 1000);
    await request(server)
      .post(path)
      .set(signatureHeaders(body, now - 6 * 60))
      .send(body)
      .expect(403);
    await request(server)
      .post(path)
      .set(signatureHeaders(body, now))
      .send(body.replace('7', '8'))
      .expect(403);
    expect(received).toEqual([]);
  });

  it('drops secret headers before anything is published, and logs none', async () => {
    const { server, received, logger } = await start([
      'secret-token-value',
      `whsec_${signingKey.toString('base64')}`,
    ]);
    const body = JSON.stringify(payload);
    await request(server)
      .post(path)
      .set({
        ...signatureHeaders(body, Math.floor(Date.now() / 1000)),
        'X-Gitlab-Token': 'secret-token-value',
        'X-Gitlab-Event': 'Merge Request Hook',
        Authorization: 'Bearer secret-bearer',
        Cookie: 'secret=cookie',
      })
      .send(body)
      .expect(202);
    const [event] = received;
    expect(event.metadata?.['x-gitlab-event']).toBe('Merge Request Hook');
    for (const name of [
      'x-gitlab-token',
      'webhook-signature',
      'authorization',
      'cookie',
    ]) {
      expect(event.metadata).not.toHaveProperty([name]);
    }
    expect(JSON.stringify(event)).not.toContain('secret');
    const logged = JSON.stringify(
      [logger.info, logger.warn, logger.error, logger.debug].map(
        level => level.mock.calls,
      ),
    );
    expect(logged).toContain('previews-gitlab');
    expect(logged).not.toContain('secret-');
  });

  it('refuses what is too large to be a webhook of GitLab', async () => {
    const { server, received } = await start(['secret-new']);
    await request(server)
      .post(path)
      .set('X-Gitlab-Token', 'secret-new')
      .send({ ...payload, padding: 'x'.repeat(2 * 1024 * 1024) })
      .expect(413);
    expect(received).toEqual([]);
  });

  it.each([
    ['without any secret', undefined],
    ['with an empty list', []],
  ])('does not start %s, and names the key', async (_name, secrets) => {
    await expect(start(secrets)).rejects.toThrow(
      'previews.gitlab[].webhookSecrets',
    );
  });
});
