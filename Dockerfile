# The console in a container, against a simulated machine. It is for trying and for tests: a NAS is installed by the
# playbook, because the console of a real one needs its disks.
#
# The base is a plain Debian 13 with Python and Redis, made without any image registry (tests/compose/run.sh does it):
#   mmdebstrap --variant=minbase --include=ca-certificates,python3,python3-venv,redis-server trixie - |
#       docker import - nasweb-base
# What is installed is a release: `make release` puts it into build/release, with its wheels.
FROM nasweb-base

RUN useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin nasweb \
    && install -d -o nasweb -g nasweb -m 0770 /var/lib/nasweb /run/nasweb

WORKDIR /opt/nasweb
COPY build/release/requirements.txt ./
COPY build/release/wheels wheels
RUN python3 -m venv .venv \
    && .venv/bin/pip install --quiet --disable-pip-version-check --no-cache-dir --no-index --find-links=wheels \
        --require-hashes --requirement=requirements.txt \
    && rm -r wheels

ENV PATH=/opt/nasweb/.venv/bin:/usr/bin:/bin \
    PYTHONUNBUFFERED=1 \
    DATA_DIR=/var/lib/nasweb \
    NASWEB_HOST=simulated \
    NASWEB_BROKER_URL=redis+socket:///run/nasweb/redis.sock \
    NASWEB_STATIC_ROOT=/opt/nasweb/static

COPY build/release ./
# A throwaway key: collecting files signs nothing, and the image must not carry one.
RUN rm -r wheels ansible \
    && python -m compileall --invalidation-mode=unchecked-hash -qq -x /\\.venv/ . \
    && NASWEB_SECRET_KEY_FILE=/proc/sys/kernel/random/uuid DATA_DIR=/tmp/data \
        python manage.py collectstatic --noinput --verbosity 0 \
    && rm -rf /tmp/data

USER nasweb
ENV PYTHONDONTWRITEBYTECODE=1
VOLUME ["/var/lib/nasweb", "/run/nasweb"]
CMD ["gunicorn", "nasweb.wsgi", "--bind=0.0.0.0:8000", "--worker-class=gthread", "--workers=1", "--threads=32", "--timeout=300", \
     "--no-control-socket", "--worker-tmp-dir=/dev/shm", "--log-level=warning"]
