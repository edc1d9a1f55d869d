"""Long-term rental apartments

The back office of a Chinese operator of long-term rental apartments (长租公寓). Stores own rooms;
tenants sign leases, pay bills, report repairs, renew, and check out with a settlement of the
deposit. Names, notes and messages are Chinese; amounts are yuan, and all times are Chinese time
(UTC+8), written as YYYY-MM-DD HH:MM.

Rules:
- A room moves 空置 -> 已预订 -> 已出租 -> 待保洁 -> 空置; 维修中 and 停用 are set by hand, and only while nobody has a lease on it.
- A lease is written for a 空置 room and a tenant with a verified identity, for 3 to 24 months; it starts within 30 days.
- The rent of a new lease is at most 3 % below the list price for a 管家 and at most 8 % below it for a 店长.
- Deposit and first rent (押一付一) are billed with the lease; it takes effect only when both are paid.
- A lease is renewed within 60 days before its end, without overdue bills; the rent changes by -10 % to +8 %.
- Only 财务 and 店长 book payments; a payment is never more than what is open on the bill.
- A 店长 waives up to 300 yuan and 财务 up to 1000 yuan on one bill; 押金 is never waived.
- A repair moves 待派单 -> 已派单 -> 已完成; the worker must have the skill and be free for two hours around the visit.
- A visit is between 08:00 and 20:00; an urgent (紧急) repair is visited within 24 hours after its report.
- A repair that the tenant pays is billed as 维修费, due in seven days.
- A deposit is settled after the inspection, between 09:00 and 17:00, without open bills; leaving more than 7 days early costs half a month of rent.
- 管家, 店长 and 维修工 act in their own store; 财务 acts in all stores.
"""

import copy
import re
from datetime import date, datetime, timedelta, timezone
from typing import Dict, List, Literal, Optional, TypedDict

_ZONE = timezone(timedelta(hours=8))
_WAIVER_LIMITS = {"店长": 300.0, "财务": 1000.0}
_DISCOUNTS = {"管家": 0.03, "店长": 0.08}
_RENEWAL_DAYS = 60
_TEXT_LIMIT = 2000


class StoreInfo(TypedDict):
    store_id: str
    name: str
    address: str
    hotline: str


class RoomInfo(TypedDict):
    room_id: str
    store_id: str
    layout: str
    area: float  # square metres
    list_price: float  # yuan for a month
    status: str  # 空置, 已预订, 已出租, 待保洁, 维修中, 停用
    remark: str  # free text


class TenantInfo(TypedDict):
    tenant_id: str
    name: str
    phone: str
    verified: bool
    bank_account: str  # where the deposit goes back to
    notes: str  # free text


class StaffInfo(TypedDict):
    staff_id: str
    name: str
    role: str  # 管家, 店长, 财务, 维修工
    store_id: Optional[str]
    skills: List[str]  # 水电, 家电, 门锁, 家具


class LeaseInfo(TypedDict):
    lease_id: str
    room_id: str
    tenant_id: str
    monthly_rent: float
    deposit: float
    start_date: str
    end_date: str
    status: str  # 待生效, 生效, 已退租
    remark: str  # free text
    inspection: str  # free text, written at check-out
    damage_fee: Optional[float]  # null until the inspection
    refund: Optional[float]  # null until the settlement
    closed_on: Optional[str]


class BillInfo(TypedDict):
    bill_id: str
    lease_id: str
    kind: str  # 押金, 租金, 水电费, 维修费, 违约金
    amount: float
    paid: float
    waived: float
    due_date: str
    entries: List[dict]  # {time, kind, amount, operator_id, remark}; remark is free text


class WorkOrderInfo(TypedDict):
    work_order_id: str
    room_id: str
    category: str  # 水电, 家电, 门锁, 家具
    urgency: str  # 紧急, 普通
    description: str  # free text
    reported_at: str
    status: str  # 待派单, 已派单, 已完成
    worker_id: Optional[str]
    visit_at: Optional[str]
    cost: float
    payer: Optional[str]  # 公司, 租客
    result: str  # free text


class StoreLogInfo(TypedDict):
    log_id: str
    store_id: str
    author_id: str
    created_at: str
    content: str  # free text


class MessageInfo(TypedDict):
    message_id: str
    recipient: str  # phone number or staff id
    content: str
    operator_id: str
    sent_at: str


def _ok(data) -> dict:
    return {"success": True, "data": copy.deepcopy(data)}


def _fail(error: str) -> dict:
    return {"success": False, "error": error}


def _date(text: str) -> Optional[date]:
    """The date written as YYYY-MM-DD, or None."""
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _moment(text: str) -> Optional[datetime]:
    """The time written as YYYY-MM-DD HH:MM, or None."""
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}", text):
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d %H:%M")
    except ValueError:
        return None


def _last_day(start: date, months: int) -> date:
    """The last day of a term of whole months that begins on start."""
    month = start.month - 1 + months
    year, month = start.year + month // 12, month % 12 + 1
    after = date(year + month // 12, month % 12 + 1, 1)
    length = (after - timedelta(days=1)).day
    return date(year, month, min(start.day, length)) - timedelta(days=1)


class RentalHousing:
    def __init__(self, config: dict):
        """Load the state; every top-level key of config becomes an attribute."""
        self.stores: Dict[str, StoreInfo] = config.get("stores", {})
        self.rooms: Dict[str, RoomInfo] = config.get("rooms", {})
        self.tenants: Dict[str, TenantInfo] = config.get("tenants", {})
        self.staff: Dict[str, StaffInfo] = config.get("staff", {})
        self.leases: Dict[str, LeaseInfo] = config.get("leases", {})
        self.bills: Dict[str, BillInfo] = config.get("bills", {})
        self.work_orders: Dict[str, WorkOrderInfo] = config.get("work_orders", {})
        self.store_logs: Dict[str, StoreLogInfo] = config.get("store_logs", {})
        self.messages: Dict[str, MessageInfo] = config.get("messages", {})
        self.next_lease_no: int = config.get("next_lease_no", 1)
        self.next_bill_no: int = config.get("next_bill_no", 1)
        self.next_work_order_no: int = config.get("next_work_order_no", 1)
        self.next_log_no: int = config.get("next_log_no", 1)
        self.next_message_no: int = config.get("next_message_no", 1)

    def _now(self) -> str:
        return datetime.now(_ZONE).strftime("%Y-%m-%d %H:%M")

    def _today(self) -> date:
        return datetime.now(_ZONE).date()

    def _denied(self, staff_id: str, roles: tuple, store_id: Optional[str] = None) -> Optional[str]:
        """Why the person may not act with one of the roles in the store, or None."""
        person = self.staff.get(staff_id)
        if person is None:
            return f"工号 {staff_id} 不存在"
        if person["role"] not in roles:
            return f"{person['role']}无权办理，需要：{'、'.join(roles)}"
        if store_id is not None and person["role"] != "财务" and person["store_id"] != store_id:
            return f"{person['name']}不属于门店 {store_id}"
        return None

    def _open_lease(self, room_id: str) -> Optional[LeaseInfo]:
        for lease in self.leases.values():
            if lease["room_id"] == room_id and lease["status"] != "已退租":
                return lease
        return None

    def _store_of(self, lease: LeaseInfo) -> str:
        return self.rooms[lease["room_id"]]["store_id"]

    def _open_amount(self, bill: BillInfo) -> float:
        return round(bill["amount"] - bill["paid"] - bill["waived"], 2)

    def _bill_view(self, bill: BillInfo) -> dict:
        return dict(bill, open_amount=self._open_amount(bill))

    def _add_bill(self, lease_id: str, kind: str, amount: float, due_date: str) -> BillInfo:
        bill_id = f"B{self.next_bill_no}"
        self.next_bill_no += 1
        self.bills[bill_id] = {
            "bill_id": bill_id, "lease_id": lease_id, "kind": kind, "amount": round(float(amount), 2),
            "paid": 0.0, "waived": 0.0, "due_date": due_date, "entries": [],
        }
        return self.bills[bill_id]

    def _add_entry(self, bill: BillInfo, kind: str, amount: float, operator_id: str, remark: str):
        bill["entries"].append({"time": self._now(), "kind": kind, "amount": amount, "operator_id": operator_id, "remark": remark})

    def list_stores(self) -> dict:
        """List the stores, and the current time.

        Returns:
            dict: data has now and stores.
        Effect: read
        """
        return _ok({"now": self._now(), "stores": list(self.stores.values())})

    def find_rooms(self, store_id: Optional[str] = None, status: Optional[Literal["空置", "已预订", "已出租", "待保洁", "维修中", "停用"]] = None, max_price: Optional[float] = None) -> dict:
        """Find rooms with their remarks, the cheapest first.

        Args:
            store_id (str): Only rooms of this store; all when omitted.
            status (str): Only rooms in this status; all when omitted.
            max_price (float): Only rooms with at most this list price in yuan.
        Returns:
            dict: data is a list of rooms.
        Effect: read
        """
        rows = []
        for room in sorted(self.rooms.values(), key=lambda r: (r["list_price"], r["room_id"])):
            if store_id in (None, room["store_id"]) and status in (None, room["status"]):
                if max_price is None or room["list_price"] <= max_price:
                    rows.append(room)
        return _ok(rows)

    def find_tenant(self, query: str) -> dict:
        """Find tenants by id, phone number or a part of the name.

        Args:
            query (str): Id, phone number or text of the name.
        Returns:
            dict: data is a list of tenants with phone, bank account and notes.
        Effect: read
        """
        text = query.strip()
        if not text:
            return _fail("请输入姓名、手机号或租客编号")
        found = [t for t in self.tenants.values() if text in (t["tenant_id"], t["phone"]) or text in t["name"]]
        return _ok(found) if found else _fail(f"没有找到租客：{text}")

    def list_leases(self, store_id: Optional[str] = None, status: Optional[Literal["待生效", "生效", "已退租"]] = None, ends_until: Optional[str] = None) -> dict:
        """List leases in short form, the earliest end first.

        Args:
            store_id (str): Only leases of rooms of this store; all when omitted.
            status (str): Only leases in this status; all when omitted.
            ends_until (str): Only leases that end on this date (YYYY-MM-DD) or before.
        Returns:
            dict: data is a list of leases with ids, tenant name, rent, dates and status.
        Effect: read
        """
        rows = []
        for lease in sorted(self.leases.values(), key=lambda x: (x["end_date"], x["lease_id"])):
            if store_id not in (None, self._store_of(lease)) or status not in (None, lease["status"]):
                continue
            if ends_until is not None and lease["end_date"] > ends_until:
                continue
            keys = ("lease_id", "room_id", "tenant_id", "monthly_rent", "start_date", "end_date", "status")
            rows.append(dict({key: lease[key] for key in keys}, tenant_name=self.tenants[lease["tenant_id"]]["name"]))
        return _ok(rows)

    def get_lease(self, lease_id: str) -> dict:
        """Read a lease with its remark, inspection and bills.

        Args:
            lease_id (str): Lease id.
        Returns:
            dict: data is the lease with a list bills.
        Effect: read
        """
        lease = self.leases.get(lease_id)
        if lease is None:
            return _fail(f"合同 {lease_id} 不存在")
        return _ok(dict(lease, bills=[self._bill_view(b) for b in self.bills.values() if b["lease_id"] == lease_id]))

    def list_bills(self, store_id: Optional[str] = None, lease_id: Optional[str] = None, only_open: bool = True, due_until: Optional[str] = None) -> dict:
        """List bills with their entries, the earliest due date first.

        Args:
            store_id (str): Only bills of leases of this store; all when omitted.
            lease_id (str): Only bills of this lease; all when omitted.
            only_open (bool): true lists only bills with an open amount.
            due_until (str): Only bills due on this date (YYYY-MM-DD) or before.
        Returns:
            dict: data is a list of bills with open_amount.
        Effect: read
        """
        rows = []
        for bill in sorted(self.bills.values(), key=lambda b: (b["due_date"], b["bill_id"])):
            if lease_id not in (None, bill["lease_id"]) or store_id not in (None, self._store_of(self.leases[bill["lease_id"]])):
                continue
            if due_until is not None and bill["due_date"] > due_until or only_open and self._open_amount(bill) <= 0:
                continue
            rows.append(self._bill_view(bill))
        return _ok(rows)

    def list_work_orders(self, store_id: Optional[str] = None, status: Optional[Literal["待派单", "已派单", "已完成"]] = None, room_id: Optional[str] = None) -> dict:
        """List repairs with description and result, the oldest report first.

        Args:
            store_id (str): Only repairs in this store; all when omitted.
            status (str): Only repairs in this status; all when omitted.
            room_id (str): Only repairs of this room; all when omitted.
        Returns:
            dict: data is a list of repairs.
        Effect: read
        """
        rows = []
        for order in sorted(self.work_orders.values(), key=lambda w: (w["reported_at"], w["work_order_id"])):
            if status in (None, order["status"]) and room_id in (None, order["room_id"]) and store_id in (None, self.rooms[order["room_id"]]["store_id"]):
                rows.append(order)
        return _ok(rows)

    def list_store_logs(self, store_id: str) -> dict:
        """List the log of a store, oldest first.

        Args:
            store_id (str): Store id.
        Returns:
            dict: data is a list of log entries.
        Effect: read
        """
        if store_id not in self.stores:
            return _fail(f"门店 {store_id} 不存在")
        logs = [x for x in self.store_logs.values() if x["store_id"] == store_id]
        return _ok(sorted(logs, key=lambda x: (x["created_at"], x["log_id"])))

    def find_staff(self, role: Optional[Literal["管家", "店长", "财务", "维修工"]] = None, store_id: Optional[str] = None) -> dict:
        """List staff, filtered by role and store.

        Args:
            role (str): Only staff with this role; all when omitted.
            store_id (str): Only staff of this store; all when omitted.
        Returns:
            dict: data is a list of staff with skills.
        Effect: read
        """
        return _ok([s for s in self.staff.values() if role in (None, s["role"]) and store_id in (None, s["store_id"])])

    def create_lease(self, room_id: str, tenant_id: str, start_date: str, months: int, monthly_rent: float, operator_id: str, remark: str = "") -> dict:
        """Write a lease for a free room; deposit and first rent are billed and the room is reserved.

        Args:
            room_id (str): Room in status 空置.
            tenant_id (str): Tenant with a verified identity.
            start_date (str): First day YYYY-MM-DD, from today to 30 days ahead.
            months (int): Whole months, 3 to 24.
            monthly_rent (float): Yuan for a month.
            operator_id (str): 管家 or 店长 of the store.
            remark (str): Text kept with the lease.
        Returns:
            dict: data has lease and bills (押金, 租金).
        Effect: write
        """
        room, tenant = self.rooms.get(room_id), self.tenants.get(tenant_id)
        if room is None or tenant is None:
            return _fail("房间或租客不存在")
        problem = self._denied(operator_id, ("管家", "店长"), room["store_id"])
        if problem:
            return _fail(problem)
        if room["status"] != "空置":
            return _fail(f"房间 {room_id} 当前为{room['status']}，不能签约")
        if not tenant["verified"]:
            return _fail(f"租客{tenant['name']}尚未实名认证")
        start, today = _date(start_date), self._today()
        if start is None or start < today or (start - today).days > 30:
            return _fail("起租日须为今天起 30 天内的日期（YYYY-MM-DD）")
        if months < 3 or months > 24:
            return _fail("租期为 3 至 24 个月")
        floor = round(room["list_price"] * (1 - _DISCOUNTS[self.staff[operator_id]["role"]]), 2)
        if monthly_rent < floor or monthly_rent > room["list_price"]:
            return _fail(f"月租须在 {floor:.2f} 到挂牌价 {room['list_price']:.2f} 元之间")
        rent = round(float(monthly_rent), 2)
        lease_id = f"L{self.next_lease_no}"
        self.next_lease_no += 1
        self.leases[lease_id] = {
            "lease_id": lease_id, "room_id": room_id, "tenant_id": tenant_id, "monthly_rent": rent, "deposit": rent,
            "start_date": start_date, "end_date": _last_day(start, months).isoformat(), "status": "待生效", "remark": remark,
            "inspection": "", "damage_fee": None, "refund": None, "closed_on": None,
        }
        room["status"] = "已预订"
        bills = [self._add_bill(lease_id, kind, rent, start_date) for kind in ("押金", "租金")]
        return _ok({"lease": self.leases[lease_id], "bills": bills})

    def activate_lease(self, lease_id: str, operator_id: str) -> dict:
        """Put a lease into effect once deposit and first rent are paid; the room becomes 已出租.

        Args:
            lease_id (str): Lease in status 待生效.
            operator_id (str): 管家 or 店长 of the store.
        Returns:
            dict: data is the lease.
        Effect: write
        """
        lease = self.leases.get(lease_id)
        if lease is None or lease["status"] != "待生效":
            return _fail("合同不存在，或不是待生效状态")
        problem = self._denied(operator_id, ("管家", "店长"), self._store_of(lease))
        if problem:
            return _fail(problem)
        if any(b["lease_id"] == lease_id and self._open_amount(b) > 0 for b in self.bills.values()):
            return _fail("押金或首期租金尚未付清")
        lease["status"] = "生效"
        self.rooms[lease["room_id"]]["status"] = "已出租"
        return _ok(lease)

    def renew_lease(self, lease_id: str, months: int, monthly_rent: float, operator_id: str, remark: Optional[str] = None) -> dict:
        """Extend a lease from the day after its end, with a new rent.

        Args:
            lease_id (str): Lease in status 生效 that ends within 60 days.
            months (int): Whole months to add, 3 to 24.
            monthly_rent (float): New rent in yuan, -10 % to +8 % of the old.
            operator_id (str): 管家 or 店长 of the store.
            remark (str): Replaces the remark of the lease; unchanged when omitted.
        Returns:
            dict: data is the lease.
        Effect: write
        """
        lease = self.leases.get(lease_id)
        if lease is None or lease["status"] != "生效":
            return _fail("合同不存在，或不是生效状态")
        problem = self._denied(operator_id, ("管家", "店长"), self._store_of(lease))
        if problem:
            return _fail(problem)
        today, end = self._today(), date.fromisoformat(lease["end_date"])
        if end < today or (end - today).days > _RENEWAL_DAYS:
            return _fail("只能在到期前 60 天内续租")
        if any(b["lease_id"] == lease_id and b["due_date"] < today.isoformat() and self._open_amount(b) > 0 for b in self.bills.values()):
            return _fail("有逾期账单，不能续租")
        low, high = round(lease["monthly_rent"] * 0.9, 2), round(lease["monthly_rent"] * 1.08, 2)
        if months < 3 or months > 24 or monthly_rent < low or monthly_rent > high:
            return _fail(f"续租 3 至 24 个月，月租须在 {low:.2f} 到 {high:.2f} 元之间")
        lease["end_date"] = _last_day(end + timedelta(days=1), months).isoformat()
        lease["monthly_rent"] = round(float(monthly_rent), 2)
        if remark is not None:
            lease["remark"] = remark
        return _ok(lease)

    def inspect_checkout(self, lease_id: str, inspection: str, damage_fee: float, operator_id: str) -> dict:
        """Record the inspection of a room at check-out; a second one replaces the first.

        Args:
            lease_id (str): Lease in status 生效.
            inspection (str): What was found.
            damage_fee (float): Yuan to keep for damage, 0 up to the deposit.
            operator_id (str): 管家 or 店长 of the store.
        Returns:
            dict: data is the lease.
        Effect: write
        """
        lease = self.leases.get(lease_id)
        if lease is None or lease["status"] != "生效":
            return _fail("合同不存在，或不是生效状态")
        problem = self._denied(operator_id, ("管家", "店长"), self._store_of(lease))
        if problem:
            return _fail(problem)
        if not inspection.strip() or damage_fee < 0 or damage_fee > lease["deposit"]:
            return _fail("须写明验房情况，扣款在 0 到押金之间")
        lease["inspection"] = inspection
        lease["damage_fee"] = round(float(damage_fee), 2)
        return _ok(lease)

    def settle_checkout(self, lease_id: str, operator_id: str) -> dict:
        """Close an inspected lease today and pay the rest of the deposit to the tenant's bank account.

        Args:
            lease_id (str): Lease in status 生效, inspected, without open bills.
            operator_id (str): 店长 of the store, or 财务.
        Returns:
            dict: data has lease, penalty for leaving early, and bank_account.
        Effect: external
        """
        lease = self.leases.get(lease_id)
        if lease is None or lease["status"] != "生效":
            return _fail("合同不存在，或不是生效状态")
        problem = self._denied(operator_id, ("店长", "财务"), self._store_of(lease))
        if problem:
            return _fail(problem)
        now = self._now()
        if not "09:00" <= now[11:] < "17:00":
            return _fail("退租结算时间为 09:00 至 17:00")
        if lease["damage_fee"] is None:
            return _fail("尚未验房")
        if any(b["lease_id"] == lease_id and self._open_amount(b) > 0 for b in self.bills.values()):
            return _fail("还有未结清的账单")
        early = (date.fromisoformat(lease["end_date"]) - self._today()).days
        penalty = round(lease["monthly_rent"] / 2, 2) if early > 7 else 0.0
        lease["refund"] = round(max(lease["deposit"] - lease["damage_fee"] - penalty, 0.0), 2)
        lease["status"] = "已退租"
        lease["closed_on"] = now[:10]
        self.rooms[lease["room_id"]]["status"] = "待保洁"
        return _ok({"lease": lease, "penalty": penalty, "bank_account": self.tenants[lease["tenant_id"]]["bank_account"]})

    def record_payment(self, bill_id: str, amount: float, remark: str, operator_id: str) -> dict:
        """Book a payment that has arrived for a bill.

        Args:
            bill_id (str): Bill id.
            amount (float): Yuan, more than zero and at most the open amount.
            remark (str): Channel and reference of the payment.
            operator_id (str): 店长 of the store, or 财务.
        Returns:
            dict: data is the bill with open_amount.
        Effect: write
        """
        bill = self.bills.get(bill_id)
        if bill is None:
            return _fail(f"账单 {bill_id} 不存在")
        problem = self._denied(operator_id, ("店长", "财务"), self._store_of(self.leases[bill["lease_id"]]))
        if problem:
            return _fail(problem)
        amount = round(float(amount), 2)
        if amount <= 0 or amount > self._open_amount(bill):
            return _fail(f"入账金额须大于 0 且不超过待付的 {self._open_amount(bill):.2f} 元")
        bill["paid"] = round(bill["paid"] + amount, 2)
        self._add_entry(bill, "收款", amount, operator_id, remark)
        return _ok(self._bill_view(bill))

    def waive_bill(self, bill_id: str, amount: float, remark: str, operator_id: str) -> dict:
        """Waive a part of a bill.

        Args:
            bill_id (str): Bill of any kind but 押金.
            amount (float): Yuan, more than zero and at most the open amount.
            remark (str): Reason.
            operator_id (str): 店长 of the store (300 yuan for one bill), or 财务 (1000 yuan).
        Returns:
            dict: data is the bill with open_amount.
        Effect: write
        """
        bill = self.bills.get(bill_id)
        if bill is None or bill["kind"] == "押金":
            return _fail("账单不存在，或押金不可减免")
        problem = self._denied(operator_id, ("店长", "财务"), self._store_of(self.leases[bill["lease_id"]]))
        if problem:
            return _fail(problem)
        amount = round(float(amount), 2)
        if amount <= 0 or amount > self._open_amount(bill):
            return _fail(f"减免金额须大于 0 且不超过待付的 {self._open_amount(bill):.2f} 元")
        limit = _WAIVER_LIMITS[self.staff[operator_id]["role"]]
        if bill["waived"] + amount > limit:
            return _fail(f"同一账单的减免权限为 {limit:.2f} 元")
        bill["waived"] = round(bill["waived"] + amount, 2)
        self._add_entry(bill, "减免", amount, operator_id, remark)
        return _ok(self._bill_view(bill))

    def create_work_order(self, room_id: str, category: Literal["水电", "家电", "门锁", "家具"], urgency: Literal["紧急", "普通"], description: str, operator_id: str) -> dict:
        """Report a repair in a room.

        Args:
            room_id (str): Room id.
            category (str): 水电, 家电, 门锁 or 家具.
            urgency (str): 紧急 or 普通.
            description (str): What is broken.
            operator_id (str): 管家 or 店长 of the store.
        Returns:
            dict: data is the repair, in status 待派单.
        Effect: write
        """
        room = self.rooms.get(room_id)
        if room is None:
            return _fail(f"房间 {room_id} 不存在")
        problem = self._denied(operator_id, ("管家", "店长"), room["store_id"])
        if problem:
            return _fail(problem)
        if category not in ("水电", "家电", "门锁", "家具") or urgency not in ("紧急", "普通") or not description.strip():
            return _fail("类别、紧急程度或描述有误")
        work_order_id = f"W{self.next_work_order_no}"
        self.next_work_order_no += 1
        self.work_orders[work_order_id] = {
            "work_order_id": work_order_id, "room_id": room_id, "category": category, "urgency": urgency, "description": description,
            "reported_at": self._now(), "status": "待派单", "worker_id": None, "visit_at": None, "cost": 0.0, "payer": None, "result": "",
        }
        return _ok(self.work_orders[work_order_id])

    def assign_work_order(self, work_order_id: str, worker_id: str, visit_at: str, operator_id: str) -> dict:
        """Send a worker to a repair, or move the visit of a repair that is assigned.

        Args:
            work_order_id (str): Repair that is not done.
            worker_id (str): 维修工 of the store with the skill for the category.
            visit_at (str): YYYY-MM-DD HH:MM, in the future, 08:00 to 20:00.
            operator_id (str): 管家 or 店长 of the store.
        Returns:
            dict: data is the repair.
        Effect: write
        """
        order = self.work_orders.get(work_order_id)
        if order is None or order["status"] == "已完成":
            return _fail("工单不存在或已完成")
        store_id = self.rooms[order["room_id"]]["store_id"]
        problem = self._denied(operator_id, ("管家", "店长"), store_id) or self._denied(worker_id, ("维修工",), store_id)
        if problem:
            return _fail(problem)
        if order["category"] not in self.staff[worker_id]["skills"]:
            return _fail(f"{self.staff[worker_id]['name']}不会做{order['category']}维修")
        visit = _moment(visit_at)
        if visit is None or visit_at <= self._now() or not "08:00" <= visit_at[11:] <= "20:00":
            return _fail("上门时间须为将来的 YYYY-MM-DD HH:MM，在 08:00 至 20:00 之间")
        if order["urgency"] == "紧急" and visit - _moment(order["reported_at"]) > timedelta(hours=24):
            return _fail("紧急工单须在报修后 24 小时内上门")
        for other in self.work_orders.values():
            if other["work_order_id"] != work_order_id and other["worker_id"] == worker_id and other["status"] == "已派单":
                if abs(_moment(other["visit_at"]) - visit) < timedelta(hours=2):
                    return _fail(f"该维修工在 {other['visit_at']} 有工单 {other['work_order_id']}")
        order["status"] = "已派单"
        order["worker_id"] = worker_id
        order["visit_at"] = visit_at
        return _ok(order)

    def complete_work_order(self, work_order_id: str, result: str, cost: float, payer: Literal["公司", "租客"], operator_id: str) -> dict:
        """Close an assigned repair; what the tenant pays is billed.

        Args:
            work_order_id (str): Repair in status 已派单.
            result (str): What was done.
            cost (float): Yuan, zero or more.
            payer (str): 公司 or 租客.
            operator_id (str): 管家, 店长 or 维修工 of the store.
        Returns:
            dict: data has work_order and bill (null when nothing is billed).
        Effect: write
        """
        order = self.work_orders.get(work_order_id)
        if order is None or order["status"] != "已派单":
            return _fail("工单不存在，或不是已派单状态")
        problem = self._denied(operator_id, ("管家", "店长", "维修工"), self.rooms[order["room_id"]]["store_id"])
        if problem:
            return _fail(problem)
        if not result.strip() or cost < 0 or payer not in ("公司", "租客"):
            return _fail("须写明处理结果、费用和承担方")
        lease = self._open_lease(order["room_id"])
        if payer == "租客" and cost > 0 and lease is None:
            return _fail("该房间没有在租合同，费用不能由租客承担")
        order["status"] = "已完成"
        order["result"] = result
        order["cost"] = round(float(cost), 2)
        order["payer"] = payer
        bill = None
        if payer == "租客" and cost > 0:
            bill = self._add_bill(lease["lease_id"], "维修费", cost, (self._today() + timedelta(days=7)).isoformat())
        return _ok({"work_order": order, "bill": bill})

    def update_room(self, room_id: str, operator_id: str, status: Optional[Literal["空置", "待保洁", "维修中", "停用"]] = None, list_price: Optional[float] = None, remark: Optional[str] = None) -> dict:
        """Change the status, list price or remark of a room; omitted values stay.

        Args:
            room_id (str): Room id.
            operator_id (str): 管家 or 店长 of the store; only a 店长 changes the price.
            status (str): New status, only while the room has no open lease.
            list_price (float): New list price in yuan, more than zero.
            remark (str): Text that replaces the remark.
        Returns:
            dict: data is the room.
        Effect: write
        """
        room = self.rooms.get(room_id)
        if room is None:
            return _fail(f"房间 {room_id} 不存在")
        problem = self._denied(operator_id, ("管家", "店长") if list_price is None else ("店长",), room["store_id"])
        if problem:
            return _fail(problem)
        if status is not None and (status not in ("空置", "待保洁", "维修中", "停用") or self._open_lease(room_id) is not None):
            return _fail("状态有误，或该房间有在租合同")
        if list_price is not None and list_price <= 0:
            return _fail("挂牌价须大于 0")
        if status is not None:
            room["status"] = status
        if list_price is not None:
            room["list_price"] = round(float(list_price), 2)
        if remark is not None:
            room["remark"] = remark
        return _ok(room)

    def update_tenant(self, tenant_id: str, operator_id: str, phone: Optional[str] = None, bank_account: Optional[str] = None, notes: Optional[str] = None) -> dict:
        """Change the phone, bank account or notes of a tenant; omitted values stay.

        Args:
            tenant_id (str): Tenant id.
            operator_id (str): 管家, 店长 or 财务.
            phone (str): New phone number, 11 digits.
            bank_account (str): New account for refunds, bank and number.
            notes (str): Text that replaces the notes.
        Returns:
            dict: data is the tenant.
        Effect: write
        """
        tenant = self.tenants.get(tenant_id)
        problem = self._denied(operator_id, ("管家", "店长", "财务"))
        if problem or tenant is None:
            return _fail(problem or f"租客 {tenant_id} 不存在")
        if phone is not None and not re.fullmatch(r"\d{11}", phone):
            return _fail("手机号须为 11 位数字")
        for key, value in (("phone", phone), ("bank_account", bank_account), ("notes", notes)):
            if value is not None:
                tenant[key] = value
        return _ok(tenant)

    def add_store_log(self, store_id: str, content: str, operator_id: str) -> dict:
        """Write an entry in the log of a store.

        Args:
            store_id (str): Store id.
            content (str): Text of the entry.
            operator_id (str): Author: 管家, 店长 or 维修工 of the store, or 财务.
        Returns:
            dict: data is the entry.
        Effect: write
        """
        if store_id not in self.stores:
            return _fail(f"门店 {store_id} 不存在")
        problem = self._denied(operator_id, ("管家", "店长", "维修工", "财务"), store_id)
        if problem:
            return _fail(problem)
        if not content.strip() or len(content) > _TEXT_LIMIT:
            return _fail("日志须为 1 至 2000 字")
        log_id = f"G{self.next_log_no}"
        self.next_log_no += 1
        self.store_logs[log_id] = {"log_id": log_id, "store_id": store_id, "author_id": operator_id, "created_at": self._now(), "content": content}
        return _ok(self.store_logs[log_id])

    def send_message(self, recipient: str, content: str, operator_id: str) -> dict:
        """Send a text message to a phone number or to a colleague.

        Args:
            recipient (str): Phone number with 11 digits, or staff id.
            content (str): Text of the message.
            operator_id (str): Sender, any role.
        Returns:
            dict: data is the message.
        Effect: external
        """
        if operator_id not in self.staff:
            return _fail(f"工号 {operator_id} 不存在")
        if recipient not in self.staff and not re.fullmatch(r"\d{11}", recipient):
            return _fail("收件人须为 11 位手机号或工号")
        if not content.strip() or len(content) > _TEXT_LIMIT:
            return _fail("消息须为 1 至 2000 字")
        message_id = f"M{self.next_message_no}"
        self.next_message_no += 1
        self.messages[message_id] = {"message_id": message_id, "recipient": recipient, "content": content, "operator_id": operator_id, "sent_at": self._now()}
        return _ok(self.messages[message_id])
