# One image for api and worker: they run the same sources, without a build.
FROM node:24-bookworm-slim
WORKDIR /app
RUN npm install --global pnpm@12.21.0
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml turbo.json ./
COPY packages packages
COPY apps apps
COPY bench/package.json bench/package.json
# Optional dependencies are the embedded PostgreSQL and native speed-ups; production has a server of its own.
RUN pnpm install --frozen-lockfile --prod --no-optional && chown -R node:node /app
USER node
ENV NODE_ENV=production HOST=0.0.0.0
EXPOSE 3000
CMD ["node", "apps/api/src/main.ts"]
