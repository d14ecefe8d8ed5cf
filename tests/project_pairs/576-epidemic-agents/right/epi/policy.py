"""Lockdown that starts and ends with the prevalence."""


class Lockdown:
    def __init__(self, config, notify):
        self.share = config.lockdown_share
        self.normal = config.contacts
        self.reduced = config.lockdown_contacts
        self.notify = notify
        self.active = False

    def update(self, day, prevalence):
        if not self.active and prevalence > self.share:
            self.active = True
            self.notify(day, "lockdown")
        elif self.active and prevalence < self.share / 2:
            self.active = False
            self.notify(day, "reopening")

    @property
    def contacts(self):
        return self.reduced if self.active else self.normal
