#!/bin/sh
# Run once by the image of PostgreSQL: a role that row-level security holds for, and its database.
set -eu

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --set password="$SVC_DATABASE_PASSWORD" <<'SQL'
CREATE ROLE svc LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE svc OWNER svc;
SQL
