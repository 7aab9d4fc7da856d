#!/bin/sh
# Runs once, on an empty PostgreSQL volume. The service's role owns its database and is not a superuser.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$FINHOOK_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE finhook LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE ROLE finhook_tenant NOLOGIN;
CREATE ROLE finhook_system NOLOGIN;
GRANT finhook_tenant, finhook_system TO finhook;
CREATE DATABASE finhook OWNER finhook TEMPLATE template0 ENCODING 'UTF8';
REVOKE CONNECT ON DATABASE finhook FROM PUBLIC;
SQL
