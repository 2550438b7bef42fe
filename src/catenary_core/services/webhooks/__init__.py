"""The webhooks service: signed calls that tell other systems what happens."""
