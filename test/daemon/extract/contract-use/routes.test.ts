import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'routers of Express with any name, below where the file mounts them',
    'a.js',
    `
    const express = require('express');
    const app = express();
    const r = express.Router();
    const inner = require('express').Router();
    const m = new Map();
    r.get('/a/:id', h);
    inner.delete('/b', auth, h);
    r.route('/c')
      .post(h)
      .put(auth, (q, s) => s.json({}));
    app.get('env'); m.get('/x', h); m.route('/y').get(h);
    r.use('/inner', inner);
    app.use('/v1', auth, r);
    `,
    `
    6 route GET /v1/a/{}
    7 route DELETE /v1/inner/b
    9 route POST /v1/c
    10 route PUT /v1/c
    `,
  ],
  [
    'names that are routers and something else, and routers of others',
    'b.ts',
    `
    import { Router } from 'express';
    import { Router as Other } from './other';
    const r = Router(), o = new Other();
    export const a = async (q: Query) => { const c = await r.get('/a', q); return c; };
    export const b = async (q: Query) => { const r = await find(q); return o.get('/b', q); };
    `,
    '',
  ],
  [
    'prefixes of Koa, Hono and Fastify',
    'c.ts',
    `
    import Router from '@koa/router';
    import { Hono } from 'hono';
    import Fastify, { type FastifyInstance } from 'fastify';
    const k = new Router({ prefix: '/v1' });
    const h = new Hono().basePath('/v2');
    const sub = new Hono();
    const f = Fastify({ logger: true });
    k.get('/a/:id', show);
    h.post('/b', c => c.text('x'));
    sub.put('/c', c => c.text('x'));
    h.route('/sub', sub);
    f.get('/d', { schema }, show);
    f.route({ method: ['GET', 'HEAD'], url: '/e', handler: show });
    export const plugin = async (i: FastifyInstance) => { i.patch('/f/:id', show); };
    `,
    `
    8 route GET /v1/a/{}
    9 route POST /v2/b
    10 route PUT /v2/sub/c
    12 route GET /d
    13 route GET /e
    13 route HEAD /e
    14 route PATCH /f/{}
    `,
  ],
  [
    'routes of hapi, one or a list',
    'd.js',
    `
    const Hapi = require('@hapi/hapi');
    const server = Hapi.server();
    server.route({ method: 'GET', path: '/a/{id}', handler: h });
    server.route([
      { method: ['PUT', 'POST'], path: '/b', handler: h },
      { method: '*', path: '/c', options: { validate: { payload: { path: '/no' } } }, handler: h },
    ]);
    history.route({ path: '/page' });
    `,
    `
    3 route GET /a/{}
    5 route PUT /b
    5 route POST /b
    6 route * /c
    `,
  ],
]);
